package rule

import (
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"- ready: 5s\n  redy: 5s", `f:2: rule: unknown field "redy"; known are name, pods, start, updates, reject, evict, pull, run, exit, exits, liveness, startup, ready, unready, stop, stopExit, backOff, nodes, pressure, evictEvery`},
		{"ready: 5s", "f:1: rules are a list: begin each with a dash"},
		{"- 5s", "f:1: rule: want fields (name: value)"},
		{"- ready: 5s\n  ready: 6s", `f:2: rule: field "ready" is there twice`},
		{"- ready: soon", `f:1: ready: "soon" is not a time such as 500ms, 3s or 2m, or never`},
		{"- ready: -1s", `f:1: ready: "-1s" is not a time such as 500ms, 3s or 2m, or never`},
		{"- start: never", `f:1: start: "never" is not a time such as 500ms, 3s or 2m`},
		{"- stop: never", `f:1: stop: "never" is not a time such as 500ms, 3s or 2m, or grace`},
		{"- run: [1s]", "f:1: run: want one value"},
		{"- pods: web", "f:1: pods: want fields (name: value)"},
		{"- pods:\n    app: web", `f:2: pods: unknown field "app"; known are namespace, name, labels, owner, image, container, annotation, node, phase, restartPolicy`},
		{"- pods: {labels: a in b}", "f:1: labels: unable to parse requirement: found 'b' expected: '('; write it as kubectl takes it: app=web,tier in (a,b)"},
		{"- pods: {owner: /x}", "f:1: owner: want Kind or Kind/name; the name may have *"},
		{"- pods: {annotation: =x}", "f:1: annotation: want key or key=value; the value may have *"},
		{"- pods: {phase: Up}", `f:1: phase: "Up" is not one of Pending, Running, Succeeded, Failed`},
		{"- updates: some", `f:1: updates: "some" is not one of final, kubelet, all`},
		{"- exit: {code: 256}", "f:1: code: 256 is more than 255"},
		{"- exit: {code: -1}", `f:1: code: "-1" is not a whole number from 0 on`},
		{"- exits: 0", `f:1: exits: "0" is not a whole number from 1 on`},
		{"- backOff: 0", `f:1: backOff: "0" is not a factor between 0.0001 and 1000`},
		{"- backOff: .nan", `f:1: backOff: ".nan" is not a factor between 0.0001 and 1000`},
		{"- unready: {after: 1s}", "f:1: unready: say for how long (for: 5s)"},
		{"- unready: {for: 5s, every: 5s}", "f:1: unready: every 5s is not more than for 5s, so that it would never be ready"},
		{"- reject: {message: no}", "f:1: reject: say the reason (reason: OutOfcpu)"},
		{"- pressure: [MemoryPressure]", `f:1: a rule about nodes says which: nodes: "*" is all`},
		{"- nodes: \"\"", "f:1: nodes: want a pattern of names; * is all"},
		{"- nodes: n\n  pressure: [Heat]", `f:2: pressure: "Heat" is not one of MemoryPressure, DiskPressure, PIDPressure`},
		{"- nodes: n\n  pressure: MemoryPressure", "f:2: pressure: want a list: [MemoryPressure]"},
		{"- nodes: n\n  ready: 5s", "f:1: a rule is about pods or about nodes: make two of it"},
		{"- ? [a]\n  : b", "f:1: rule: the name of a field is a word"},
		{"- a: b\n c", "f:1: did not find expected '-' indicator"},
		{"\t", "f:1: found character that cannot start any token"},
	} {
		_, err := Parse("f", []byte(row.text))
		if err == nil || err.Error() != row.want {
			t.Errorf("%q:\n got %v\nwant %s", row.text, err, row.want)
		}
		var p *Problem
		if !errors.As(err, &p) {
			t.Errorf("%q: %T is no problem with a line", row.text, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, nothing := range []string{"", "# nothing", "null", "[]", "---"} {
		if rules, err := Parse("f", []byte(nothing)); err != nil || len(rules) != 0 {
			t.Errorf("%q: %d rules, %v", nothing, len(rules), err)
		}
	}
	rules, err := Parse("f", []byte("- &a {name: first, ready: never, stop: grace, run: 1m}\n- *a\n- nodes: \"*\"\n  pressure: []\n  evictEvery: 3s"))
	if err != nil {
		t.Fatal(err)
	}
	if r := rules[1]; len(rules) != 3 || r.Name != "first" || *r.Ready != Never || *r.Stop != WholeGrace || *r.Run != time.Minute {
		t.Errorf("got %+v", rules)
	}
	if r := rules[2]; r.Pressure == nil || *r.EvictEvery != 3*time.Second {
		t.Errorf("got %+v", r)
	}
}

func TestBuiltinRulesSayEverything(t *testing.T) {
	rules, err := Parse("builtin.yaml", []byte(Builtin()))
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{}
	pod.Spec.Containers = []corev1.Container{{Name: "c"}}
	if r := OfPod(rules, pod); r.Start == nil || r.Updates == nil {
		t.Errorf("of a pod: %+v", r)
	}
	for _, ends := range []bool{false, true} {
		r := OfContainer(rules, pod, &pod.Spec.Containers[0], ends)
		if r.Run == nil || r.Exit == nil || r.Liveness == nil || r.Startup == nil || r.Ready == nil || r.Stop == nil || r.StopExit == nil || r.BackOff == nil {
			t.Errorf("of a container: %+v", r)
		}
	}
	if r := OfNode(rules, "n"); r.Pressure == nil || r.EvictEvery == nil {
		t.Errorf("of a node: %+v", r)
	}
}

func TestSelection(t *testing.T) {
	yes := true
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "web-1", Labels: map[string]string{"app": "web"}, Annotations: map[string]string{"team": "blue"},
		OwnerReferences: []metav1.OwnerReference{{Kind: "ReplicaSet", Name: "web-5d8f", Controller: &yes}},
	}}
	pod.Spec.NodeName, pod.Spec.RestartPolicy = "node-7", corev1.RestartPolicyAlways
	pod.Spec.Containers = []corev1.Container{{Name: "main", Image: "registry.example/shop/web:1"}, {Name: "proxy", Image: "envoy"}}
	for _, row := range []struct {
		pods string
		want bool
	}{
		{"{}", true},
		{"{namespace: shop}", true},
		{"{namespace: s*p}", true},
		{"{namespace: sho}", false},
		{"{name: web-*}", true},
		{"{name: \"*-2\"}", false},
		{"{labels: \"app in (web,db)\"}", true},
		{"{labels: app!=web}", false},
		{"{owner: ReplicaSet}", true},
		{"{owner: ReplicaSet/web-*}", true},
		{"{owner: ReplicaSet/db-*}", false},
		{"{owner: Job}", false},
		{"{image: \"*/web:*\"}", true},
		{"{container: proxy}", true},
		{"{container: proxy, image: \"*/web:*\"}", false},
		{"{annotation: team}", true},
		{"{annotation: team=b*e}", true},
		{"{annotation: team=red}", false},
		{"{node: node-*}", true},
		{"{node: node}", false},
		{"{phase: Pending}", true},
		{"{phase: Running}", false},
		{"{restartPolicy: Never}", false},
		{"{namespace: shop, name: db-*}", false},
	} {
		rules, err := Parse("f", []byte("- pods: "+row.pods))
		if err != nil {
			t.Errorf("%s: %v", row.pods, err)
			continue
		}
		if got := rules[0].Pods.selects(pod); got != row.want {
			t.Errorf("%s: got %v", row.pods, got)
		}
	}
}

func TestTheFirstRuleThatSaysItCounts(t *testing.T) {
	rules, err := Parse("f", []byte("- pods: {name: a}\n  ready: 1s\n- ready: 2s\n  stop: 3s\n- stop: 4s"))
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	r := OfContainer(rules, pod, &corev1.Container{}, false)
	if *r.Ready != time.Second || *r.Stop != 3*time.Second {
		t.Errorf("ready %v, stop %v", *r.Ready, *r.Stop)
	}
}

func TestGlob(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "x", true},
		{"*", "", true},
		{"a*", "a", true},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"*a*b*", "xaxxbx", true},
		{"*a*b*", "xbxa", false},
		{"**", "x", true},
		{"a", "ab", false},
		{"a*b*c", "abc", true},
	} {
		if got := glob(row.pattern, row.text); got != row.want {
			t.Errorf("%q on %q: %v", row.pattern, row.text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(Builtin())
	f.Add("- pods: {owner: Job/*, image: \"*\"}\n  unready: {after: 1s, for: 2s, every: 5s}\n  evict: {after: 1s}\n  pull: {times: 3}")
	f.Add("- &a {pods: *a}")
	f.Add("- ? [a]\n  : b")
	f.Add("\t")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := Parse("f", []byte(text))
		var p *Problem
		switch {
		case err == nil:
		case !errors.As(err, &p), p.Line < 1, p.Line > strings.Count(text, "\n")+2, p.What == "":
			t.Errorf("an error without its place: %v", err)
		case len(rules) > 0:
			t.Error("rules and an error")
		}
		pod := &corev1.Pod{}
		pod.Spec.Containers = []corev1.Container{{Name: "c"}}
		OfPod(rules, pod)
		OfContainer(rules, pod, &pod.Spec.Containers[0], false)
	})
}
