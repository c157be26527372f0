package campaign

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/stage"
	"github.com/seatrial/seatrial/history"
)

// TestTempo: how long nothing may move follows from what was seen, and so does how far the operator's metrics
// are believed.
func TestTempo(t *testing.T) {
	const ms = time.Millisecond
	work := stage.Rest{Asked: true, Restless: true}
	for _, test := range []struct {
		name        string
		steps       []stage.Rest
		patient     bool
		quiet, sure time.Duration
		trust       bool
		says        string
	}{
		{"nothing is known", nil, false, quietMin, quietMin, false, "has no $(PORT_metrics)"},
		{"slow", []stage.Rest{{Gap: 400 * ms}, {Gap: 100 * ms}}, false, 600 * ms, quietMin, false, "has no $(PORT_metrics)"},
		{"very slow", []stage.Rest{{Gap: time.Minute}}, false, quietMax, quietMin, false, "has no $(PORT_metrics)"},
		{"slow once in many", append(slices.Repeat([]stage.Rest{{Gap: 40 * ms}}, enoughToTell), stage.Rest{Gap: 8000 * ms}), false, quietMin, quietMin, false, "has no $(PORT_metrics)"},
		{"slow twice in many", append(slices.Repeat([]stage.Rest{{Gap: 40 * ms}}, enoughToTell), stage.Rest{Gap: 400 * ms}, stage.Rest{Gap: 8000 * ms}), false, 600 * ms, quietMin, false, "has no $(PORT_metrics)"},
		{"it tries again and again", []stage.Rest{{Gap: time.Minute, Failing: []string{"web"}}}, false, quietMin, quietMin, false, "has no $(PORT_metrics)"},
		{"it has tried often until it worked", []stage.Rest{{Gap: 1300 * ms, Pause: 1280 * ms}}, false, quietMin, quietMin, false, "has no $(PORT_metrics)"},
		{"slow, and it has tried twice", []stage.Rest{{Gap: 400 * ms, Pause: 10 * ms}}, false, 600 * ms, quietMin, false, "has no $(PORT_metrics)"},
		{"its metrics are right", []stage.Rest{{Asked: true, Gap: 400 * ms}}, true, 600 * ms, quietMin, true, "are empty"},
		{"its metrics are wrong", []stage.Rest{{Asked: true, Gap: 400 * ms, Late: 300 * ms}}, true, 600 * ms, 450 * ms, true, "are empty"},
		{"nobody has looked how right they are", []stage.Rest{{Asked: true, Late: 300 * ms}}, false, quietMin, quietMin, false, "are empty"},
		{"always at work", []stage.Rest{work, work, work}, true, quietMin, 0, true, "always at work"},
		{"at work with one change", append(slices.Repeat([]stage.Rest{{Asked: true}}, 12), work, work, work), true, quietMin, quietMin, true, "are empty"},
		{"always at work from then on", append(slices.Repeat([]stage.Rest{{Asked: true}}, 12), work, work, work, work), true, quietMin, 0, true, "always at work"},
		{"not to be read", []stage.Rest{{Deaf: errors.New("401")}}, true, quietMin, quietMin, false, "could not be read: 401"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var tempo tempo
			for _, r := range test.steps {
				tempo.learn(r, test.patient)
			}
			if p := tempo.patience(webKey); p.Quiet != test.quiet || tempo.sure() != test.sure || p.Sure != min(test.sure, test.quiet) || p.Trust != test.trust {
				t.Errorf("%+v, and %s where its metrics say so", p, tempo.sure())
			}
			if tempo.proved() && len(test.steps) < proven {
				t.Error("so few steps prove nothing")
			}
			if said := tempo.queues(); !strings.Contains(said, test.says) {
				t.Errorf("%q has no %q", said, test.says)
			}
		})
	}
}

// TestProved: an operator's metrics are believed where it matters most when they have been right ten times.
func TestProved(t *testing.T) {
	var tempo tempo
	for range proven {
		if tempo.proved() {
			t.Fatal("fewer prove nothing")
		}
		tempo.learn(stage.Rest{Asked: true}, true)
	}
	if !tempo.proved() {
		t.Error("enough prove something")
	}
}

// TestReal: where pods really run it is also waited for pods that nothing counts, and for what the garbage collector is
// to take away.
func TestReal(t *testing.T) {
	key := history.Key{Resource: "webs.example.com", Namespace: "a", Name: "web"}
	pod := history.Key{Resource: "pods", Namespace: "a", Name: "p"}
	owned := history.Object{"metadata": map[string]any{"ownerReferences": []any{map[string]any{"apiVersion": "example.com/v1", "kind": "Web", "name": "web"}}}}
	for _, c := range []struct {
		name  string
		state history.State
		want  string
	}{
		{"a pod that waits for its image", history.State{pod: {"status": map[string]any{"phase": "Pending"}}}, "pods a/p has not started"},
		{"one that runs", history.State{pod: {"status": map[string]any{"phase": "Running"}}}, ""},
		{"an owner that is gone", history.State{pod: owned}, "pods a/p is still there, and its owner is gone"},
		{"one that is there", history.State{pod: owned, key: {"kind": "Web"}}, ""},
		{"an owner of another kind", history.State{pod: {"metadata": map[string]any{"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Node", "name": "web"}}}}}, ""},
	} {
		real, plane := &tempo{real: true}, &tempo{}
		if got := real.patience(key).Waits(c.state); got != c.want {
			t.Errorf("%s: waits for %q, want %q", c.name, got, c.want)
		}
		if got := plane.patience(key).Waits(c.state); got != "" {
			t.Errorf("%s: on a plane it waits for %q", c.name, got)
		}
	}
}

// TestFirst: the seed alone is waited for longer than what comes behind it, while something is not ready.
func TestFirst(t *testing.T) {
	var tempo tempo
	if p := tempo.patience(history.Key{}); p.Long != longFirst || p.Quiet != quietMin {
		t.Errorf("%+v", p)
	}
	tempo.learn(stage.Rest{Gap: 100 * time.Millisecond}, true)
	if p := tempo.patience(history.Key{}); p.Long != longMin {
		t.Errorf("%+v", p)
	}
}

// TestEmptied: a namespace that is being deleted is waited for as long as its controller takes to begin.
func TestEmptied(t *testing.T) {
	going := history.State{{Resource: "namespaces", Name: "shop"}: {"metadata": map[string]any{"deletionTimestamp": "2026-01-01T00:00:00Z"}}}
	p := (&tempo{}).patience(webKey)
	if got := p.LongFor(going); got < 6*time.Second {
		t.Errorf("%s, and its controller waits for five seconds before it begins", got)
	}
	if why := p.Waits(going); why != "namespaces shop is being deleted" || p.Others(going) != why {
		t.Errorf("%q is waited for, and others have to bring about %q", why, p.Others(going))
	}
	if got := p.LongFor(history.State{webKey: {}}); got != 0 {
		t.Errorf("%s where nothing is known", got)
	}
}
