// Package expression evaluates the CEL expressions of a scenario. What
// they see are lists of API objects with a fixed set of fields, those that a
// state of the model knows; docs/cel.md is made from the structs in this file.
package expression

import (
	"time"

	"github.com/google/cel-go/common/types/ref"
)

// Cluster is what one expression is evaluated on. The tags give the names in
// CEL and what the manual says about them. The objects in the lists must not
// be changed after they have been looked at once.
type Cluster struct {
	Pods                     []*Pod                     `cel:"pods" doc:"every pod there is, terminating and Failed ones included"`
	Nodes                    []*Node                    `cel:"nodes" doc:"every node"`
	Deployments              []*Deployment              `cel:"deployments" doc:"the Deployments that exist"`
	ReplicaSets              []*ReplicaSet              `cel:"replicaSets" doc:"the ReplicaSets that exist"`
	HorizontalPodAutoscalers []*HorizontalPodAutoscaler `cel:"horizontalPodAutoscalers" doc:"the autoscalers that exist"`
	PodDisruptionBudgets     []*PodDisruptionBudget     `cel:"podDisruptionBudgets" doc:"the disruption budgets that exist"`
}

// Pod is a pod. It has no name: the pods of a workload are interchangeable.
type Pod struct {
	cel      made
	Metadata PodMetadata `cel:"metadata"`
	Spec     PodSpec     `cel:"spec"`
	Status   PodStatus   `cel:"status"`
}

// PodMetadata is a pod's metadata.
type PodMetadata struct {
	Namespace         string            `cel:"namespace" doc:"the namespace"`
	Labels            map[string]string `cel:"labels" doc:"the labels, pod-template-hash included"`
	OwnerReferences   []Owner           `cel:"ownerReferences" doc:"the ReplicaSet it belongs to, if any"`
	DeletionTimestamp time.Time         `cel:"deletionTimestamp" doc:"is there if the pod is terminating: has(p.metadata.deletionTimestamp); the time itself means nothing"`
}

// Owner is an owner reference.
type Owner struct {
	Kind string `cel:"kind" doc:"the owner's kind"`
	Name string `cel:"name" doc:"the owner's name"`
}

// PodSpec is a pod's spec.
type PodSpec struct {
	NodeName          string `cel:"nodeName" doc:"the node; empty for a pod without one"`
	Priority          int64  `cel:"priority" doc:"the priority"`
	PriorityClassName string `cel:"priorityClassName" doc:"its class, or empty"`
}

// PodStatus is a pod's status.
type PodStatus struct {
	Phase             string `cel:"phase" doc:"Pending, Running or Failed"`
	Ready             bool   `cel:"ready" doc:"its condition Ready is True (the API has it in conditions)"`
	Available         bool   `cel:"available" doc:"Ready for minReadySeconds (the API does not say so of a pod)"`
	NominatedNodeName string `cel:"nominatedNodeName" doc:"the node on which a preemption makes room for it, or empty"`
}

// Node is a node.
type Node struct {
	cel      made
	Metadata NodeMetadata `cel:"metadata"`
	Spec     NodeSpec     `cel:"spec"`
	Status   NodeStatus   `cel:"status"`
}

// NodeMetadata is a node's metadata.
type NodeMetadata struct {
	Name   string            `cel:"name" doc:"the name"`
	Labels map[string]string `cel:"labels" doc:"the labels"`
}

// NodeSpec is a node's spec.
type NodeSpec struct {
	Unschedulable bool    `cel:"unschedulable" doc:"it is cordoned"`
	Taints        []Taint `cel:"taints" doc:"all taints, those of the node lifecycle controller included"`
}

// Taint is a taint of a node.
type Taint struct {
	Key    string `cel:"key" doc:"the key"`
	Value  string `cel:"value" doc:"the value, or empty"`
	Effect string `cel:"effect" doc:"NoSchedule, PreferNoSchedule or NoExecute"`
}

// NodeStatus is a node's status.
type NodeStatus struct {
	Ready bool `cel:"ready" doc:"its condition Ready is True (the API has it in conditions)"`
}

// Metadata is that of objects with nothing but a name, a namespace and labels.
type Metadata struct {
	Name      string            `cel:"name" doc:"the name"`
	Namespace string            `cel:"namespace" doc:"the namespace"`
	Labels    map[string]string `cel:"labels" doc:"the labels"`
}

// Deployment is a Deployment.
type Deployment struct {
	cel      made
	Metadata Metadata         `cel:"metadata"`
	Spec     DeploymentSpec   `cel:"spec"`
	Status   DeploymentStatus `cel:"status"`
}

// DeploymentSpec is a Deployment's spec.
type DeploymentSpec struct {
	Replicas int64 `cel:"replicas" doc:"how many are wanted"`
	Paused   bool  `cel:"paused" doc:"it is paused"`
}

// DeploymentStatus counts a Deployment's pods, Failed and terminating ones left
// out.
type DeploymentStatus struct {
	Replicas            int64 `cel:"replicas" doc:"how many there are"`
	UpdatedReplicas     int64 `cel:"updatedReplicas" doc:"those of the present template"`
	ReadyReplicas       int64 `cel:"readyReplicas" doc:"those that are Ready"`
	AvailableReplicas   int64 `cel:"availableReplicas" doc:"those Ready for minReadySeconds"`
	UnavailableReplicas int64 `cel:"unavailableReplicas" doc:"those that the ReplicaSets want, less the available ones"`
}

// ReplicaSet is a ReplicaSet.
type ReplicaSet struct {
	cel      made
	Metadata ReplicaSetMetadata `cel:"metadata"`
	Spec     ReplicaSetSpec     `cel:"spec"`
	Status   ReplicaSetStatus   `cel:"status"`
}

// ReplicaSetMetadata is a ReplicaSet's metadata.
type ReplicaSetMetadata struct {
	Name            string            `cel:"name" doc:"the name"`
	Namespace       string            `cel:"namespace" doc:"the namespace"`
	Labels          map[string]string `cel:"labels" doc:"the labels"`
	OwnerReferences []Owner           `cel:"ownerReferences" doc:"the Deployment it belongs to, if any"`
}

// ReplicaSetSpec is a ReplicaSet's spec.
type ReplicaSetSpec struct {
	Replicas int64 `cel:"replicas" doc:"how many are wanted"`
}

// ReplicaSetStatus counts a ReplicaSet's pods, Failed and terminating ones left
// out.
type ReplicaSetStatus struct {
	Replicas          int64 `cel:"replicas" doc:"how many there are"`
	ReadyReplicas     int64 `cel:"readyReplicas" doc:"those that are Ready"`
	AvailableReplicas int64 `cel:"availableReplicas" doc:"those Ready for minReadySeconds"`
}

// HorizontalPodAutoscaler is an autoscaler.
type HorizontalPodAutoscaler struct {
	cel      made
	Metadata Metadata       `cel:"metadata"`
	Spec     AutoscalerSpec `cel:"spec"`
}

// AutoscalerSpec is an autoscaler's spec.
type AutoscalerSpec struct {
	MinReplicas    int64  `cel:"minReplicas" doc:"the least it scales to"`
	MaxReplicas    int64  `cel:"maxReplicas" doc:"the most it scales to"`
	ScaleTargetRef Target `cel:"scaleTargetRef" doc:"what it scales"`
}

// Target is what an autoscaler scales.
type Target struct {
	Kind string `cel:"kind" doc:"the target's kind"`
	Name string `cel:"name" doc:"the target's name"`
}

// PodDisruptionBudget is a disruption budget.
type PodDisruptionBudget struct {
	cel      made
	Metadata Metadata     `cel:"metadata"`
	Status   BudgetStatus `cel:"status"`
}

// BudgetStatus is a disruption budget's status as the disruption controller
// wrote it last.
type BudgetStatus struct {
	DisruptionsAllowed int64 `cel:"disruptionsAllowed" doc:"how many pods may be evicted now"`
	CurrentHealthy     int64 `cel:"currentHealthy" doc:"how many are healthy"`
	DesiredHealthy     int64 `cel:"desiredHealthy" doc:"how many have to be"`
	ExpectedPods       int64 `cel:"expectedPods" doc:"how many the budget is about"`
}

func (o *Pod) made() ref.Val                     { return o.cel.of(o) }
func (o *Node) made() ref.Val                    { return o.cel.of(o) }
func (o *Deployment) made() ref.Val              { return o.cel.of(o) }
func (o *ReplicaSet) made() ref.Val              { return o.cel.of(o) }
func (o *HorizontalPodAutoscaler) made() ref.Val { return o.cel.of(o) }
func (o *PodDisruptionBudget) made() ref.Val     { return o.cel.of(o) }
