package growth

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
)

func pool(name string, least, most int) scenario.NodePool {
	p := scenario.NodePool{Name: name, Min: least, Max: most}
	p.Template.Metadata.Labels = map[string]string{"pool": name}
	return p
}

func input(given int, pools []scenario.NodePool, replicas ...scenario.Replicas) *manifest.Input {
	in := &manifest.Input{Nodes: make([]manifest.Object[*corev1.Node], given)}
	in.Scenario = &manifest.Object[*scenario.Scenario]{Value: &scenario.Scenario{Spec: scenario.Spec{NodePools: pools, Replicas: replicas}}}
	return in
}

// TestCounts: the numbers of setups that Kivi's sweeps have.
func TestCounts(t *testing.T) {
	web := scenario.Replicas{Workload: scenario.Workload{Name: "web"}, Min: 1}
	four := int32(4)
	few := web
	few.PerNode = &four
	for _, c := range []struct {
		name string
		in   *manifest.Input
		want int
	}{
		{"one pool 0..6", input(0, []scenario.NodePool{pool("a", 0, 6)}, web), 126},
		{"two pools 0..6", input(0, []scenario.NodePool{pool("a", 0, 6), pool("b", 0, 6)}, web), 1764},
		{"two pools 1..6", input(0, []scenario.NodePool{pool("a", 1, 6), pool("b", 1, 6)}, web), 1512},
		{"2..6 nodes, 4 pods each", input(0, []scenario.NodePool{pool("a", 2, 6)}, few), 80},
		{"given nodes are exact", input(3, nil, web), 18},
		{"nothing is variable", input(3, nil), 1},
		{"a pool above the confident size is checked at its least", input(0, []scenario.NodePool{pool("a", 9, 40)}), 1},
	} {
		if got := len(Setups(c.in, false)); got != c.want {
			t.Errorf("%s: %d setups, want %d", c.name, got, c.want)
		}
		if got := Setups(c.in, true); len(got) != 1 {
			t.Errorf("%s: exact has %d setups", c.name, len(got))
		}
	}
}

// TestOrder: by nodes, then pods.
func TestOrder(t *testing.T) {
	three := int32(3)
	in := input(0, []scenario.NodePool{pool("a", 0, 1), pool("b", 1, 2)}, scenario.Replicas{Workload: scenario.Workload{Name: "web"}, Min: 2, Max: &three})
	got := ""
	for _, s := range Setups(in, false) {
		got += s.String(in) + "\n"
	}
	want := "a=0 b=1 web×2\na=0 b=1 web×3\na=0 b=2 web×2\na=1 b=1 web×2\na=0 b=2 web×3\na=1 b=1 web×3\na=1 b=2 web×2\na=1 b=2 web×3\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestSymmetry: pools with one template count once in each order, unless the
// scenario tells them apart.
func TestSymmetry(t *testing.T) {
	pools := []scenario.NodePool{{Name: "a", Min: 0, Max: 2}, {Name: "b", Min: 0, Max: 2}}
	in := input(0, pools)
	if got := len(Setups(in, false)); got != 5 {
		t.Errorf("%d setups, want 5: 1, 1+1, 2, 2+1, 2+2", got)
	}
	in.Scenario.Value.Spec.Events = []scenario.Event{{Type: scenario.EventDrain, Nodes: []string{"a"}}}
	if got := len(Setups(in, false)); got != 8 {
		t.Errorf("%d setups, want 8: the pools are told apart", got)
	}
}

// TestGroups: pools of one group grow a node at a time in turn.
func TestGroups(t *testing.T) {
	pools := []scenario.NodePool{{Name: "a", Min: 1, Max: 2, Group: "g"}, {Name: "b", Min: 1, Max: 2, Group: "g"}, {Name: "c", Max: 2, Group: "g"}}
	got := ""
	for _, s := range Setups(input(0, pools), false) {
		got += fmt.Sprint(s.Pools)
	}
	if want := "[1 1 0][1 1 1][2 1 1][2 2 1][2 2 2]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestNodes: nodes that are alike become one pool; a node that a template names
// stays; the scenario speaks of the pools.
func TestNodes(t *testing.T) {
	in := input(0, nil)
	for _, n := range []struct{ name, zone string }{{"n1", "a"}, {"n2", "a"}, {"n3", "b"}, {"n4", "b"}} {
		node := &corev1.Node{}
		node.Name, node.Labels = n.name, map[string]string{"zone": n.zone, corev1.LabelHostname: n.name}
		in.Nodes = append(in.Nodes, manifest.Object[*corev1.Node]{Value: node})
	}
	d := &appsv1.Deployment{}
	d.Spec.Template.Spec.NodeName = "n4"
	in.Deployments = []manifest.Object[*appsv1.Deployment]{{Value: d}}
	in.Scenario.Value.Spec.Events = []scenario.Event{{Type: scenario.EventDrain, Nodes: []string{"n1", "n2", "n4"}}}
	out, lines := Nodes(in)
	got := fmt.Sprint(lines)
	for _, p := range out.Scenario.Value.Spec.NodePools {
		got += fmt.Sprint(p.Name, p.Min, p.Max, p.Template.Metadata.Labels)
	}
	got += fmt.Sprint(out.Nodes[0].Value.Name, len(out.Nodes), out.Scenario.Value.Spec.Events[0].Nodes, in.Scenario.Value.Spec.Events[0].Nodes)
	want := "[--grow: 0 to 6 nodes like n1, n2; their pods are placed anew --grow: 0 to 6 nodes like n3; their pods are placed anew]" +
		"like-n10 6 map[zone:a]like-n30 6 map[zone:b]n41 [like-n1 n4] [n1 n2 n4]"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := len(Setups(out, false)); n != 49 {
		t.Errorf("%d setups, want 49", n)
	}
}
