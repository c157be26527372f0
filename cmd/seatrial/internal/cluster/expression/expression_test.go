package expression

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// sample is a cluster of two nodes; web has a pod on each and one without.
func sample() *Cluster {
	pod := func(node, phase string, ready bool) *Pod {
		return &Pod{
			Metadata: PodMetadata{
				Namespace: "default", Labels: map[string]string{"app": "web"},
				OwnerReferences: []Owner{{Kind: "ReplicaSet", Name: "web-1"}},
			},
			Spec: PodSpec{NodeName: node}, Status: PodStatus{Phase: phase, Ready: ready},
		}
	}
	c := &Cluster{
		Pods: []*Pod{pod("", "Pending", false), pod("a", "Running", true), pod("b", "Running", false)},
		Nodes: []*Node{
			{Metadata: NodeMetadata{Name: "a", Labels: map[string]string{hostname: "a", "zone": "1"}}, Status: NodeStatus{Ready: true}},
			{Metadata: NodeMetadata{Name: "b", Labels: map[string]string{hostname: "b", "zone": "2"}}, Spec: NodeSpec{Unschedulable: true, Taints: []Taint{{Key: "k", Effect: "NoSchedule"}}}},
		},
		Deployments: []*Deployment{{Metadata: Metadata{Name: "web", Namespace: "default"}, Spec: DeploymentSpec{Replicas: 3}, Status: DeploymentStatus{AvailableReplicas: 1}}},
	}
	c.Pods[2].Metadata.DeletionTimestamp = time.Unix(1, 0)
	return c
}

func TestEval(t *testing.T) {
	for text, want := range map[string]bool{
		`pods.filter(p, has(p.spec.nodeName) && has(p.metadata.labels.app) && !has(p.metadata.labels.tier)).size() == 2`:        true,
		`nodes.all(n, nodes.exists_one(m, m == n)) && pods[0] != pods[1] && pods[0].metadata.labels == pods[1].metadata.labels`: true,
		`deployments.exists(d, d.metadata.labels.size() == 0) && type(pods[0]) == type(pods[1])`:                                true,
		`size(pods) == 3`: true,
		`pods.filter(p, p.metadata.labels.app == "web" && p.status.ready).size() >= 2`:                                     false,
		`pods.exists(p, has(p.metadata.deletionTimestamp))`:                                                                true,
		`pods.filter(p, has(p.metadata.deletionTimestamp)).size() == 1`:                                                    true,
		`pods.all(p, p.metadata.labels[?"tier"].orValue("none") == "none")`:                                                true,
		`nodes.exists(n, n.spec.taints.exists(t, t.effect == "NoSchedule"))`:                                               true,
		`nodes.all(n, pods.filter(p, p.spec.nodeName == n.metadata.name).size() <= 1)`:                                     true,
		`deployments.all(d, d.status.availableReplicas >= d.spec.replicas - 1)`:                                            false,
		`replicaSets.size() + horizontalPodAutoscalers.size() + podDisruptionBudgets.size() == 0`:                          true,
		`pods.all(p, p.metadata.ownerReferences.exists(o, o.kind == "ReplicaSet" && o.name.startsWith("web-")))`:           true,
		`deployments.exists(d, d.metadata.name == "web" && d.metadata.namespace == "default" && !d.spec.paused)`:           true,
		`pods.exists_one(p, p.spec.nodeName == "" && p.status.phase == "Pending" && p.spec.priority == 0)`:                 true,
		`nodes.filter(n, !n.status.ready).map(n, n.metadata.labels["zone"]) == ["2"]`:                                      true,
		`nodes.exists(n, n.spec.unschedulable && !pods.exists(p, p.spec.nodeName == n.metadata.name && p.status.ready))`:   true,
		`pods.all(p, p.status.phase in ["Pending", "Running"] && !p.status.available && p.status.nominatedNodeName == "")`: true,
	} {
		e, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := e.Eval(sample()); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                           "Syntax error",
		`size(pods)`:                                 "of type int, not bool",
		`pods.all(p, p.metadata.name == "x")`:        "undefined field 'name'",
		`pods.all(p, p.spec.containers == [])`:       "undefined field 'containers'",
		`pods.all(p, p.status.podIP == "")`:          "undefined field 'podIP'",
		`services.size() == 0`:                       "undeclared reference to 'services'",
		`pods.all(p, p.status.ready == "true")`:      "found no matching overload",
		`pods.all(p, dyn(p).spec.foo == 1)`:          "dyn is not allowed",
		`nodes.all(n, n == Node{})`:                  "objects can be looked at, not made",
		`[pods[0], nodes[0]][0].spec.foo == 1`:       "expected type 'Pod' but found 'Node'",
		`pods.size() > `:                             "Syntax error",
		strings.Repeat("(", 2000) + "true":           "recursion",
		`"` + strings.Repeat("x", 10001) + `" == ""`: "more than 10000",
	} {
		_, err := Compile(text)
		if err == nil {
			t.Errorf("%.80s: accepted, want %q", text, want)
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80s: got %q, want one line with %q", text, err, want)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	many := &Cluster{}
	for range 400 {
		many.Pods = append(many.Pods, &Pod{})
	}
	for _, c := range []struct{ text, want string }{
		{`pods.all(p, p.metadata.labels["tier"] == "x")`, "no such key: tier"},
		{`size(pods) / (size(pods) - size(pods)) == 1`, "divi"},
		{`pods.all(p, pods.all(q, pods.all(r, p.spec.priority + q.spec.priority == r.spec.priority)))`, "actual cost limit exceeded"},
	} {
		e, err := Compile(c.text)
		if err != nil {
			t.Fatal(err)
		}
		cluster := sample()
		if strings.Contains(c.want, "cost") {
			cluster = many
		}
		if _, err := e.Eval(cluster); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestNodes(t *testing.T) {
	all := Nodes{All: true}
	named := func(names ...string) Nodes { return Nodes{Names: names} }
	for text, want := range map[string]Nodes{
		`nodes.all(n, n.spec.unschedulable)`:                                                named(),
		`nodes.all(n, pods.filter(p, p.spec.nodeName == n.metadata.name).size() <= 1)`:      named(),
		`pods.exists(p, p.spec.nodeName == "a") && nodes.exists(n, "b" == n.metadata.name)`: named("a", "b"),
		`pods.all(p, p.spec.nodeName != "")`:                                                named(),
		`pods.all(p, p.spec.nodeName in ["a", "c"])`:                                        named("a", "c"),
		`nodes.exists(n, n.metadata.labels["kubernetes.io/hostname"] == "a")`:               named("a"),
		`nodes.exists(n, n.metadata.labels["zone"] == "1" && "x" in n.metadata.labels)`:     named(),
		`nodes.exists(n, n.metadata.labels.zone == "1")`:                                    named(),
		`nodes.exists(n, n.metadata.labels[?"zone"].orValue("") == "1")`:                    named(),
		`nodes.filter(n, n.status.ready).map(n, n.spec.taints.size()).exists(k, k > 1)`:     named(),
		`deployments.exists(d, d.metadata.name.startsWith("w"))`:                            named(),
		`pods.all(p, p.metadata.labels == p.metadata.labels)`:                               named(),
		`nodes.all(n, nodes.exists_one(m, m == n))`:                                         named(),
		`nodes.exists(n, n.metadata.name.startsWith("a"))`:                                  all,
		`nodes.exists(n, n.metadata.name < "b")`:                                            all,
		`nodes.map(n, n.metadata.name).exists(x, x == "a")`:                                 all,
		`nodes.exists(n, [n.metadata.name] == ["a"])`:                                       all,
		`nodes.exists(n, {n.metadata.name: 1} == {"a": 1})`:                                 all,
		`nodes[0].spec.unschedulable`:                                                       all,
		`nodes == nodes`:                                                                    all,
		`nodes.exists(n, n.metadata.labels == {"a": "b"})`:                                  all,
		`nodes.exists(n, n.metadata.labels.exists(k, k == "a"))`:                            all,
		`nodes.exists(n, n.metadata.labels["kubernetes.io/hostname"].endsWith("1"))`:        all,
		`nodes.exists(n, n.metadata.labels[?"kubernetes.io/hostname"].orValue("") == "")`:   all,
		`pods.exists(p, p.?spec.?nodeName.orValue("") == "a")`:                              all,
		`deployments.exists(d, pods.exists(p, p.spec.nodeName == d.metadata.name))`:         all,
		`nodes.exists(n, "a" in [n.metadata.name])`:                                         all,
		`nodes.map(n, n.spec.unschedulable) == [true, false]`:                               all,
	} {
		e, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.Nodes(); got.All != want.All || !want.All && !slices.Equal(got.Names, want.Names) {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// Exchanging two nodes that an expression does not tell apart never changes its
// value.
func TestExchangedNodes(t *testing.T) {
	exchange := map[string]string{"a": "b", "b": "a"}
	other := sample()
	for _, p := range other.Pods {
		p.Spec.NodeName = exchange[p.Spec.NodeName]
	}
	x, y := other.Nodes[0], other.Nodes[1]
	x.Spec, y.Spec, x.Status, y.Status = y.Spec, x.Spec, y.Status, x.Status
	for _, text := range []string{
		`nodes.exists(n, n.spec.unschedulable && pods.exists(p, p.spec.nodeName == n.metadata.name && p.status.ready))`,
		`nodes.filter(n, n.status.ready).size() == 1`,
		`pods.all(p, nodes.exists(n, n.metadata.name == p.spec.nodeName && n.status.ready) == p.status.ready)`,
	} {
		e, err := Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		if n := e.Nodes(); n.All || len(n.Names) > 0 {
			t.Fatalf("%s tells nodes apart: %+v", text, n)
		}
		one, err1 := e.Eval(sample())
		two, err2 := e.Eval(other)
		if err1 != nil || err2 != nil || one != two {
			t.Errorf("%s: %v, %v and %v, %v", text, one, err1, two, err2)
		}
	}
}

func BenchmarkEval(b *testing.B) {
	e, err := Compile(`nodes.all(n, pods.filter(p, p.spec.nodeName == n.metadata.name).size() <= 1)`)
	if err != nil {
		b.Fatal(err)
	}
	c := sample()
	for b.Loop() {
		if _, err := e.Eval(c); err != nil {
			b.Fatal(err)
		}
	}
}

// FuzzCompile: whatever is written, there is an expression that can be
// evaluated or one line that says what is wrong; nothing panics.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{
		`pods.all(p, p.spec.nodeName in ["a"] || has(p.metadata.deletionTimestamp))`,
		`nodes.map(n, n.metadata.labels[?"x"].orValue("")).size() > 0 && nodes[0] == nodes[1]`,
		`deployments.exists_one(d, d.?spec.hasValue() ? d.spec.replicas / 0 > 1 : true)`,
		`{"a": pods}["a"][0].metadata.labels.exists(k, k.matches("^a+$"))`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Compile(text)
		if err == nil {
			_, err = e.Eval(sample())
		}
		if err != nil && strings.ContainsAny(err.Error(), "\r\n") && !strings.ContainsAny(text, "\r\n\\") {
			t.Errorf("%q: more than one line: %v", text, err)
		}
	})
}

func TestAnObjectBesideTheLists(t *testing.T) {
	c := sample()
	for _, x := range []struct {
		text, object string
		of           Object
		want         bool
	}{
		{`pod.status.phase == "Pending"`, "pod", c.Pods[0], true},
		{`pod.status.phase == "Pending"`, "pod", c.Pods[1], false},
		{`nodes.exists(n, n.metadata.name == pod.spec.nodeName && n.spec.unschedulable)`, "pod", c.Pods[2], true},
		{`node.metadata.labels["zone"] == "2"`, "node", c.Nodes[1], true},
		{`deployment.status.availableReplicas < deployment.spec.replicas`, "deployment", c.Deployments[0], true},
		{`size(pods) == 3`, "pod", c.Pods[0], true},
	} {
		e, err := CompileFor(x.text, x.object, false)
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		if got, err := e.EvalFor(c, x.of); err != nil || got != x.want {
			t.Errorf("%s: got %v, %v, want %v", x.text, got, err, x.want)
		}
	}
	number, err := CompileFor(`deployment.spec.replicas - size(nodes)`, "deployment", true)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := number.NumberFor(c, c.Deployments[0]); err != nil || n != 1 {
		t.Errorf("got %d, %v", n, err)
	}
	if len(Objects()) != 6 || !slices.Contains(Objects(), "replicaSet") || !slices.Contains(Objects(), "podDisruptionBudget") {
		t.Error(Objects())
	}
}

func TestAnObjectThatIsNotThere(t *testing.T) {
	for _, x := range []struct {
		text, object string
		number       bool
		want         string
	}{
		{`pod.status.ready`, "", false, "undeclared reference to 'pod'"},
		{`pod.status.ready`, "node", false, "undeclared reference to 'pod'"},
		{`pod.status.fase == ""`, "pod", false, "undefined field 'fase'"},
		{`pod.status.ready`, "pod", true, "of type bool, not int"},
		{`deployment.spec.replicas`, "deployment", false, "of type int, not bool"},
		{`true`, "service", false, "nothing is called service"},
	} {
		if _, err := CompileFor(x.text, x.object, x.number); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s for %q: got %v, want %s", x.text, x.object, err, x.want)
		}
	}
}

func TestAnObjectTellsNodesApart(t *testing.T) {
	for text, want := range map[string]Nodes{
		`pod.spec.nodeName == "a"`:        {Names: []string{"a"}},
		`pod.spec.nodeName in ["a", "b"]`: {Names: []string{"a", "b"}},
		`nodes.exists(n, n.metadata.name == pod.spec.nodeName && !n.status.ready)`: {},
		`pod.spec.nodeName.startsWith("a")`:                                        {All: true},
		`pod.spec.nodeName == pods.map(p, p.spec.nodeName)[0]`:                     {All: true},
		`pod.status.phase == "Failed" && pods.all(p, p.status.phase != "Pending")`: {},
	} {
		e, err := CompileFor(text, "pod", false)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.Nodes(); got.All != want.All || !slices.Equal(got.Names, want.Names) {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}
