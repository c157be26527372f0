package regression

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/trace"
)

// TestLines: what a step is in a test, or why it is in none.
func TestLines(t *testing.T) {
	const actor = "database default/shop"
	for _, test := range []struct {
		actor, action string
		turn          bool
		changes       []trace.Change
		want          string
	}{
		{"user", "create databases default/shop", true, nil, `r.Create(0)`},
		{"user", "change databases default/shop (2)", true, nil, `r.Change(1)`},
		{"user", "delete databases default/shop", true, nil, `r.Delete("databases", "default/shop")`},
		{"somebody", "delete secrets default/shop", true, nil, `r.Delete("secrets", "default/shop")`},
		{actor, "reconcile", false, nil, `r.Reconcile("database default/shop")`},
		{actor, "get secrets default/shop: secrets \"shop\" not found", false, nil, `r.Next("database default/shop", "get secrets", regression.Done)`},
		{actor, "list secrets default: stale", false, nil, `r.Next("database default/shop", "list secrets", regression.Done) // stale`},
		{actor, "update databases default/shop/status: takes effect and times out", true, nil, `r.Next("database default/shop", "update databases/status", regression.Lost)`},
		{actor, "create secrets default/shop: times out", true, nil, `r.Next("database default/shop", "create secrets", regression.Failed)`},
		{actor, "it is time to reconcile again", false, nil, ``},
		{"process", "is killed, and begins again", true, nil, `r.Kill("process")`},
		{"process", "is killed while it asks for delete secrets default/a, and begins again", true, nil, `r.Kill("process")`},
		{"process", "an API server falls behind: the cache of secrets", true, nil, `r.Lag("process", "secrets")`},
		{"process", "is killed, and begins again with older lists", true, nil, `r.KillToOlder("process")`},
		{"network", "late: delete secrets default/a", true, nil, `r.Late("delete secrets")`},
		{"network", "lost: delete secrets default/a", false, nil, `// network: lost: delete secrets default/a`},
		{"network", "lost: create secrets default/a\nr.End()", false, nil, `// network: lost: create secrets default/a r.End()`},
		{"process", "the cache of secrets stops", true, nil, `r.Stop("process", "secrets")`},
		{"process", "the cache of secrets (metadata) goes on", false, nil, `r.GoOn("process", "secrets (metadata)")`},
		{"process", "the cache of secrets goes on, and hears what happened", false, nil, `r.GoOn("process", "secrets")`},
		{"process", "the cache of secrets is sent what happened so far", true, nil, `r.Send("process", "secrets")`},
		{"process", "the cache of secrets goes on by a part", false, nil, `r.GoOnByPart("process", "secrets")`},
		{"process", "the cache of secrets is listed anew", false, nil, `r.Relist("process", "secrets")`},
		{
			"garbage collector", "delete secrets default/a", false,
			[]trace.Change{{Object: "secrets default/a", Field: "object", From: "there", To: "deleted"}},
			"// garbage collector: delete secrets default/a\n\tr.Delete(\"secrets\", \"default/a\")",
		},
		{"kubelet", "start pods default/web-0", false, nil, `r.Act("kubelet", "start pods default/web-0")`},
		{"kubelet", "evict pods default/web-0", true, nil, `r.Act("kubelet", "evict pods default/web-0")`},
		{actor, `cloud: {"create": "a: stale b"}`, false, nil, `r.Next("database default/shop", "cloud", regression.Done)`},
		{actor, `cloud: {}: takes effect and times out`, true, nil, `r.Next("database default/shop", "cloud", regression.Lost)`},
		{actor, `cloud: {}: times out`, true, nil, `r.Next("database default/shop", "cloud", regression.Failed)`},
		{"network", `late: cloud: {"create": "a b"}`, true, nil, `r.Late("cloud")`},
		{"process", "the cache of secrets is gone through again", false, nil, "a resync cannot be had"},
	} {
		step := trace.Step{Actor: test.actor, Action: test.action, Turn: test.turn, Changes: test.changes}
		got, err := newSteps(&trace.Trace{Steps: []trace.Step{{Actor: actor, Action: "reconcile"}, step}}, false).line(step)
		if err != nil && strings.Contains(err.Error(), test.want) && test.want != "" {
			continue
		}
		if err != nil || got != test.want {
			t.Errorf("%s: %s:\n%s %v", test.actor, test.action, got, err)
		}
	}
}

// TestNames: a name that the API server draws is told where the trace speaks of it, and a loop is one.
func TestNames(t *testing.T) {
	loop := 2
	all := &trace.Trace{Loop: &loop, Steps: []trace.Step{
		{Actor: "web default/a", Action: "reconcile"},
		{Actor: "web default/a", Action: "create pods default/a-*", Changes: []trace.Change{{Object: "pods default/a-x0001", Field: "object", To: "created, uid …1"}}},
		{Actor: "pod default/a-x0001", Action: "reconcile"},
	}}
	lines, err := script(all, false)
	want := `r.Reconcile("web default/a")
r.Next("web default/a", "create pods", regression.Done)
r.Named("a-x0001")
r.Loop(func() {
r.Reconcile("pod default/a-x0001")
})`
	if got := strings.Join(lines, "\n"); got != want || err != nil {
		t.Errorf("%v\n%s", err, got)
	}
}
