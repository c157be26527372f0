package zookeeper

import "k8s.io/apimachinery/pkg/types"

// parent is the node under which that of each cluster is.
const parent = "zookeeper-operator"

// Ensemble are the servers of one StatefulSet.
type Ensemble struct {
	Namespace string    `json:"namespace"`
	Name      string    `json:"name"`
	UID       types.UID `json:"uid"`
}

// Node is a request to them: what a client of ZooKeeper can do with one node.
type Node struct {
	Ensemble `json:"ensemble"`
	// Verb is get, create or set.
	Verb string `json:"verb"`
	Path string `json:"path"`
	Data string `json:"data,omitempty"`
	// Version is that which is written over, or AnyVersion.
	Version int64 `json:"version,omitempty"`
}

// AnyVersion stands for every version, as in ZooKeeper.
const AnyVersion = -1

// Answer is theirs. Code is empty, or why not.
type Answer struct {
	Code    string `json:"code,omitempty"`
	Version int64  `json:"version,omitempty"`
}

// The codes.
const (
	NoNode     = "NoNode"
	NodeExists = "NodeExists"
	BadVersion = "BadVersion"
)
