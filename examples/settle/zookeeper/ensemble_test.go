package zookeeper

import (
	"context"
	"errors"
	"path"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/seatrial/seatrial/settle"
)

// ensemble is what the servers of a StatefulSet hold: nodes by their paths.
type ensemble struct {
	Ensemble `json:"of"`
	Nodes    map[string]node `json:"nodes"`
}

type node struct {
	Data    string `json:"data,omitempty"`
	Version int64  `json:"version"`
}

// servers are a model of ZooKeeper: an ensemble for each StatefulSet, which goes with it, and does
// not come back with another of the same name.
func servers() settle.System {
	return settle.NewSystemInCluster(System, []ensemble{}, handle)
}

func handle(cluster client.Reader, all []ensemble, n Node) ([]ensemble, Answer, error) {
	all = slices.DeleteFunc(all, func(e ensemble) bool { return !runs(cluster, e.Ensemble) })
	if !runs(cluster, n.Ensemble) {
		return nil, Answer{}, errors.New("connection refused")
	}
	i := slices.IndexFunc(all, func(e ensemble) bool { return e.Ensemble == n.Ensemble })
	if i < 0 {
		i, all = len(all), append(all, ensemble{n.Ensemble, map[string]node{}})
	}
	nodes := all[i].Nodes
	is, found := nodes[n.Path]
	above := path.Dir(n.Path)
	_, under := nodes[above]
	answer := Answer{Version: is.Version}
	switch {
	case n.Verb == "create" && found:
		answer.Code = NodeExists
	case n.Verb == "create" && !under && above != "/", n.Verb != "create" && !found:
		answer.Code = NoNode
	case n.Verb == "create":
		answer.Version = int64(settle.NewCount(n.Path))
		nodes[n.Path] = node{n.Data, answer.Version}
	case n.Verb == "set" && n.Version != AnyVersion && n.Version != is.Version:
		answer.Code = BadVersion
	case n.Verb == "set":
		answer.Version++
		nodes[n.Path] = node{n.Data, answer.Version}
	}
	return all, answer, nil
}

// runs tells whether the StatefulSet is there.
func runs(cluster client.Reader, e Ensemble) bool {
	var set appsv1.StatefulSet
	err := cluster.Get(context.Background(), client.ObjectKey{Namespace: e.Namespace, Name: e.Name}, &set)
	return err == nil && set.UID == e.UID
}
