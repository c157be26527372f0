package html

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// cluster is what does not change of one: its nodes and workloads.
type cluster struct {
	Nodes     []node     `json:"nodes"`
	Workloads []workload `json:"workloads"`
}

// node is a machine with what it offers: CPU in millicores, memory in bytes.
type node struct {
	Name   string            `json:"name"`
	Zone   string            `json:"zone,omitempty"`
	Pool   string            `json:"pool,omitempty"`
	CPU    int64             `json:"cpu,omitempty"`
	Memory int64             `json:"memory,omitempty"`
	Pods   int64             `json:"pods,omitempty"`
	Taints []string          `json:"taints,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
}

// workload is what creates pods, with what a pod of each revision asks for.
type workload struct {
	Object   string    `json:"object"`
	Held     bool      `json:"held,omitempty"`
	Requests []request `json:"requests"`
	// Sets are the names of the ReplicaSets of its revisions.
	Sets []string `json:"sets,omitempty"`
}

type request struct {
	CPU    int64 `json:"cpu,omitempty"`
	Memory int64 `json:"memory,omitempty"`
}

// object is what the page reads of Kubernetes objects.
type object struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		podSpec
		Taints []struct {
			Key    string `json:"key"`
			Value  string `json:"value"`
			Effect string `json:"effect"`
		} `json:"taints"`
		Template template `json:"template"`
	} `json:"spec"`
	Status struct {
		Allocatable map[string]any `json:"allocatable"`
	} `json:"status"`
}

type template struct {
	Spec podSpec `json:"spec"`
}

type podSpec struct {
	Containers     []container    `json:"containers"`
	InitContainers []container    `json:"initContainers"`
	Overhead       map[string]any `json:"overhead"`
}

type container struct {
	RestartPolicy string `json:"restartPolicy"`
	Resources     struct {
		Requests map[string]any `json:"requests"`
	} `json:"resources"`
}

// clusterOf is nil for a setup without nodes.
func clusterOf(s *trace.Setup) (*cluster, error) {
	out := &cluster{Nodes: []node{}, Workloads: []workload{}}
	specs := map[string]podSpec{}
	for _, raw := range s.Objects {
		name, err := trace.ObjectName(raw)
		if err != nil {
			return nil, err
		}
		var o object
		if json.Unmarshal(raw, &o) != nil {
			continue // of another form: there is nothing in it to show
		}
		switch o.Kind {
		case "Node":
			out.Nodes = append(out.Nodes, nodeOf(&o))
		case "Pod":
			specs[name] = o.Spec.podSpec
		default:
			specs[name] = o.Spec.Template.Spec
		}
	}
	if len(out.Nodes) == 0 {
		return nil, nil
	}
	pools(out.Nodes)
	for _, w := range s.Workloads {
		shown := workload{Object: printable(w.Object), Held: w.Held, Requests: []request{}}
		for _, r := range w.Revisions {
			shown.Sets = append(shown.Sets, printable(r.Set))
			var own template
			if len(r.Template) == 0 || json.Unmarshal(r.Template, &own) != nil {
				own.Spec = specs[w.Object]
			}
			shown.Requests = append(shown.Requests, requests(own.Spec))
		}
		if len(w.Revisions) == 0 {
			shown.Requests = append(shown.Requests, requests(specs[w.Object]))
		}
		out.Workloads = append(out.Workloads, shown)
	}
	return out, nil
}

var (
	zoneLabels = []string{"topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone", "zone"}
	poolLabels = []string{
		"karpenter.sh/nodepool", "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup", "kubernetes.azure.com/agentpool",
		"node-pool", "nodepool", "pool",
	}
)

func nodeOf(o *object) node {
	n := node{
		Name: printable(o.Metadata.Name), CPU: milli(o.Status.Allocatable["cpu"]), Labels: map[string]string{},
		Memory: milli(o.Status.Allocatable["memory"]) / 1000, Pods: milli(o.Status.Allocatable["pods"]) / 1000,
		Zone: labelled(o, zoneLabels), Pool: labelled(o, poolLabels),
	}
	for name, value := range o.Metadata.Labels {
		n.Labels[printable(name)] = printable(value)
	}
	for _, t := range o.Spec.Taints {
		text := t.Key
		if t.Value != "" {
			text += "=" + t.Value
		}
		n.Taints = append(n.Taints, printable(text+":"+t.Effect))
	}
	return n
}

func labelled(o *object, names []string) string {
	for _, name := range names {
		if value := o.Metadata.Labels[name]; value != "" {
			return printable(value)
		}
	}
	return ""
}

var numbered = regexp.MustCompile(`^(.+?)-?[0-9]+$`)

// pools takes nodes without a pool's label whose names differ in a number for one
// pool, if there are others.
func pools(nodes []node) {
	count := map[string]int{}
	base := func(n node) string {
		if m := numbered.FindStringSubmatch(n.Name); m != nil && n.Pool == "" {
			return m[1]
		}
		return ""
	}
	for _, n := range nodes {
		count[base(n)]++
	}
	for i, n := range nodes {
		if name := base(n); name != "" && count[name] > 1 && count[name] < len(nodes) {
			nodes[i].Pool = name
		}
	}
}

// requests is what the scheduler counts for a pod: its containers together, or the
// greatest of those that run before them.
func requests(p podSpec) request {
	var sum, sidecars, before [2]int64
	names := [2]string{"cpu", "memory"}
	for k, name := range names {
		for _, c := range p.InitContainers {
			n := milli(c.Resources.Requests[name])
			if c.RestartPolicy == "Always" {
				sidecars[k] += n
				n = 0
			}
			before[k] = max(before[k], sidecars[k]+n)
		}
		sum[k] = sidecars[k]
		for _, c := range p.Containers {
			sum[k] += milli(c.Resources.Requests[name])
		}
		sum[k] = max(sum[k], before[k]) + milli(p.Overhead[name])
	}
	return request{CPU: sum[0], Memory: sum[1] / 1000}
}

// scales are the suffixes of quantities, as powers.
var scales = map[string]float64{
	"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "Ti": 1 << 40, "Pi": 1 << 50, "Ei": 1 << 60,
}

// milli is a Kubernetes quantity in thousandths, rounded up; 0 if it is none. It is
// for bars: what does not fit is what the scheduler says, not this.
func milli(v any) int64 {
	text, ok := v.(string)
	if f, number := v.(float64); number {
		text, ok = strconv.FormatFloat(f, 'g', -1, 64), true
	}
	if !ok {
		return 0
	}
	text = strings.TrimSpace(text)
	digits := strings.TrimRight(text, "numkKMGTPEi")
	scale, known := scales[text[len(digits):]]
	if !known {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			digits, scale = strconv.FormatFloat(n, 'g', -1, 64), 1
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	n = math.Ceil(n * scale * 1000)
	if err != nil || math.IsNaN(n) || n < 0 || n > math.MaxInt64/2 {
		return 0
	}
	return int64(n)
}
