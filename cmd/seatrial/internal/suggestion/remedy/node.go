package remedy

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

var _ = register(&Remedy{
	Name: "one-node-more",
	Doc:  "adds a node like one there is, or one to a pool of the Scenario",
	Candidates: func(c *Case) []Candidate {
		if c.is("SEA1001") {
			return nil // that pods go round is no lack of room; a number of nodes at which they do not is luck
		}
		var out []Candidate
		seen := map[string]bool{}
		for i := range c.In.Nodes {
			n := &c.In.Nodes[i]
			if kind := shape(n.Value); !seen[kind] {
				seen[kind] = true
				if name := free(c, n.Value.Name); name != "" {
					if add, ok := twin(n, name); ok {
						out = append(out, Candidate{
							Title: fmt.Sprintf("add a node like %s, here called %s", n.Value.Name, name),
							Cost:  "one node more is to be paid", Rank: 60, Fields: 1, Edits: edits(add),
						})
					}
				}
			}
		}
		if s := c.In.Scenario; s != nil {
			for i, p := range s.Value.Spec.NodePools {
				at := in(s.Source, "spec", "nodePools", i)
				change := edits(at.at("min").set(number(p.Min + 1)))
				if p.Max < p.Min+1 {
					change = append(change, at.at("max").set(number(p.Min+1)))
				}
				out = append(out, Candidate{
					Title: fmt.Sprintf("keep %d nodes instead of %d in pool %s", p.Min+1, p.Min, p.Name),
					Cost:  "one node more is to be paid", Rank: 60, Fields: 1, Edits: change,
				})
			}
		}
		return out
	},
})

// shape is what tells nodes apart but for their names.
func shape(n *corev1.Node) string {
	labels := []string{}
	for k, v := range n.Labels {
		if k != corev1.LabelHostname {
			labels = append(labels, k+"="+v)
		}
	}
	slices.Sort(labels)
	return strings.Join(labels, ",") + fmt.Sprint(n.Spec.Taints, n.Status.Allocatable.Cpu(), n.Status.Allocatable.Memory(), n.Status.Allocatable.Pods())
}

// free is a name for a node beside another: n3 behind n1 and n2.
func free(c *Case, like string) string {
	stem := strings.TrimRight(like, "0123456789")
	for k := 2; k < 1000; k++ {
		name := fmt.Sprintf("%s%d", stem, k)
		if stem == like {
			name = fmt.Sprintf("%s-%d", stem, k)
		}
		if !slices.ContainsFunc(c.In.Nodes, func(n machine) bool { return n.Value.Name == name }) {
			return name
		}
	}
	return ""
}

// twin is the document of a node with another name, without what only one node has.
func twin(n *machine, name string) (add editOf, ok bool) {
	written := n.Source.Node()
	if written == nil {
		return add, false
	}
	value, ok := copied(written)
	if !ok {
		return add, false
	}
	meta := child(value, "metadata")
	if meta == nil || child(meta, "name") == nil || child(meta, "uid") != nil {
		return add, false // a dump of a cluster: its nodes are not written by hand
	}
	set(meta, name, "name")
	if child(meta, "labels", corev1.LabelHostname) != nil {
		set(child(meta, "labels"), name, corev1.LabelHostname)
	}
	return document(n.Source, value)
}

// set gives a field that is there another text.
func set(n *node, value, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = text(value)
		}
	}
}

var _ = register(&Remedy{
	Name: "larger-node",
	Doc:  "gives a node twice the cpu or memory",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for i := range c.In.Nodes {
			n := &c.In.Nodes[i]
			for _, what := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				now, there := n.Value.Status.Allocatable[what]
				if !there || now.IsZero() || !n.Source.Has("status.allocatable."+string(what)) {
					continue
				}
				twice := doubled(now)
				out = append(out, Candidate{
					Title: fmt.Sprintf("give node %s %s of %s instead of %s", n.Value.Name, twice.String(), what, now.String()),
					Cost:  "a larger machine is to be paid", Rank: 64,
					Edits: edits(in(n.Source, "status", "allocatable", string(what)).set(text(twice.String()))),
				})
			}
		}
		return out
	},
})

func doubled(q resource.Quantity) resource.Quantity {
	out := q.DeepCopy()
	out.Add(q)
	return out
}
