package pattern

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/fault"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/reference"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// run makes a recording of lines, in the order of time:
//
//	MILLISECONDS ACTOR TYPE RESOURCE NAME OBJECT   a write, in default
//	watch RESOURCE, standby RESOURCE, old RESOURCE what the controller asks for
//
// A ! behind the type says that the request is refused if the object is another, and a ^
// behind delete that it is an update that takes the last finalizer away.
func run(t testing.TB, text string) *recording.Recording {
	t.Helper()
	r := &recording.Recording{Revision: 10, Final: history.State{}, Ready: 1000, Took: time.Second}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		record := apiproxy.Record{Sequence: int64(len(r.Exchanges) + 1), Incarnation: "controller-1"}
		switch words[0] {
		case "standby":
			record.Incarnation = "controller-2"
			fallthrough
		case "watch":
			record.Kind, record.Resource = apiproxy.RecordStreamBegin, words[1]
			r.Exchanges = append(r.Exchanges, record)
			continue
		case "old":
			record.Kind = apiproxy.RecordRequest
			record.Exchange = &apiproxy.Exchange{Request: apiproxy.Request{Verb: "list", Resource: words[1]}, ResourceVersion: "0"}
			r.Exchanges = append(r.Exchanges, record)
			continue
		}
		verb, conditional := strings.CutSuffix(words[2], "!")
		verb, removed := strings.CutSuffix(verb, "^")
		e := history.Event{Revision: 11 + int64(len(r.Events)), Actor: words[1], Type: history.Type(verb), UID: "uid-" + words[4]}
		e.Key = history.Key{Resource: words[3], Namespace: "default", Name: words[4]}
		e.Object = history.Object{}
		if len(words) > 5 {
			if err := e.Object.UnmarshalJSON([]byte(strings.Join(words[5:], " "))); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		if e.Type != history.Create {
			e.Previous = r.Final[e.Key]
		}
		if e.Type == history.Delete {
			e.Object = nil
		}
		r.Final.Apply(e)
		at, err := time.ParseDuration(words[0] + "ms")
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		r.Events, r.Times = append(r.Events, e), append(r.Times, at)
		if e.Actor == plan.Controller {
			record.Kind = apiproxy.RecordRequest
			record.Exchange = &apiproxy.Exchange{Request: apiproxy.Request{Verb: verb, Resource: words[3]}, Code: 200, Revision: e.Revision, UID: e.UID}
			if removed {
				record.Exchange.Verb, record.Exchange.Revision, record.Exchange.Removed = "update", e.Revision-1, true
			}
			if conditional || removed {
				record.Exchange.BodyRevision = "7"
			}
			r.Exchanges = append(r.Exchanges, record)
		}
	}
	return r
}

// TestTranscripts runs the files in testdata: history is what happens in every run
// without a perturbation, plans PATTERN… are those that are made of it.
func TestTranscripts(t *testing.T) {
	mask, err := reference.Mask(nil)
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var r *reference.Reference
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "history" {
				var err error
				if r, err = reference.Learn(mask, []*recording.Recording{run(t, d.Input), run(t, d.Input)}); err != nil {
					t.Fatal(err)
				}
				return ""
			}
			e := &experiment.Experiment{}
			var names []string
			for _, a := range d.CmdArgs {
				if a.Key == "leader-election" {
					e.Controller.LeaderElection = true
					continue
				}
				names = append(names, a.Key)
			}
			plans, pruned := Generate(r, e, names)
			var b strings.Builder
			for _, p := range plans {
				text, err := json.Marshal(p.Fault)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%s %s\n  %s\n", p.Pattern, p.Assumption, p.Sentence)
				if len(text) < 120 {
					fmt.Fprintf(&b, "  %s\n", text)
				}
				if _, _, err := fault.New(p); err != nil {
					t.Errorf("%s: %v", p.Sentence, err)
				}
			}
			fmt.Fprintf(&b, "%d left out\n", pruned)
			return b.String()
		})
	})
}

// TestPatterns: each has a rule, and the order is that of its plans.
func TestPatterns(t *testing.T) {
	rules := map[string]bool{}
	for i, p := range All() {
		if p.Rule.ID == "" || rules[p.Rule.ID] || p.Rule.ID != Rule(p.Name) || p.Name != Names()[i] || i > 0 && All()[i-1].Order >= p.Order {
			t.Errorf("%+v", p)
		}
		rules[p.Rule.ID] = true
	}
	if Rule("none") != "" {
		t.Error("what there is not has a rule")
	}
}
