package reference

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
	"github.com/seatrial/seatrial/history"
)

// run makes a recording of lines, in the order of time:
//
//	MILLISECONDS ACTOR TYPE RESOURCE NAME OBJECT   a write, in default
//	step MILLISECONDS [soft]                       a step is done
//	watch RESOURCE, list RESOURCE VERSION          the controller asks for it
func run(t testing.TB, text string) *recording.Recording {
	t.Helper()
	r := &recording.Recording{Revision: 10, Final: history.State{}, Ready: 1000, Took: time.Second}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		record := apiproxy.Record{Sequence: int64(len(r.Exchanges) + 1), Incarnation: "controller-1"}
		switch words[0] {
		case "watch":
			record.Kind, record.Resource = apiproxy.RecordStreamBegin, words[1]
			r.Exchanges = append(r.Exchanges, record)
		case "list":
			record.Kind = apiproxy.RecordRequest
			record.Exchange = &apiproxy.Exchange{Request: apiproxy.Request{Verb: "list", Resource: words[1]}, ResourceVersion: words[2]}
			r.Exchanges = append(r.Exchanges, record)
		case "step":
			r.Steps = append(r.Steps, recording.Step{At: at(t, words[1]), Soft: slices.Contains(words, "soft")})
		default:
			e := history.Event{Revision: 11 + int64(len(r.Events)), Actor: words[1], Type: history.Type(words[2]), UID: "uid-" + words[4]}
			e.Key = history.Key{Resource: words[3], Namespace: "default", Name: words[4]}
			e.Object = history.Object{"metadata": map[string]any{"name": words[4]}}
			if len(words) > 5 {
				if err := json.Unmarshal([]byte(strings.Join(words[5:], " ")), &e.Object); err != nil {
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
			r.Events, r.Times = append(r.Events, e), append(r.Times, at(t, words[0]))
			if e.Actor == plan.Controller {
				record.Kind = apiproxy.RecordRequest
				record.Exchange = &apiproxy.Exchange{Request: apiproxy.Request{Verb: words[2], Resource: words[3]}, Code: 200, Revision: e.Revision, UID: e.UID}
				r.Exchanges = append(r.Exchanges, record)
			}
		}
	}
	return r
}

func at(t testing.TB, milliseconds string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(milliseconds + "ms")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func learn(t testing.TB, texts ...string) *Reference {
	t.Helper()
	mask, err := Mask(nil)
	if err != nil {
		t.Fatal(err)
	}
	var runs []*recording.Recording
	for _, text := range texts {
		runs = append(runs, run(t, text))
	}
	r, err := Learn(mask, runs)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestLearned: what differs between two runs for no reason does not count.
func TestLearned(t *testing.T) {
	for name, c := range map[string]struct {
		runs    [2]string
		learned string
		numbers string
		other   string // a run that is compared
		differs string
	}{
		"a value": {
			runs:    [2]string{`0 user create pods a {"data": {"n": 1, "m": 1}}`, `0 user create pods a {"data": {"n": 2, "m": 1}}`},
			learned: "~pods:data.n",
			other:   `0 user create pods a {"data": {"n": 3, "m": 2}}`, differs: "update pods default/a [data.m]",
		},
		"that there is one still counts": {
			runs:    [2]string{`0 user create pods a {"data": {"n": 1}}`, `0 user create pods a {"data": {"n": 2}}`},
			learned: "~pods:data.n",
			other:   `0 user create pods a {"data": {"m": 1}}`, differs: "update pods default/a [data.m data.n]",
		},
		"a field that is not always there": {
			runs:    [2]string{`0 user create pods a {"data": {"n": 1, "m": 1}}`, `0 user create pods a {"data": {"m": 1}}`},
			learned: "pods:data.n",
			other:   `0 user create pods a {"data": {"n": 7, "m": 1}}`,
		},
		"items without a name": {
			runs:    [2]string{`0 user create pods a {"list": [{"x": 1}, {"x": 2}], "m": 1}`, `0 user create pods a {"list": [{"x": 3}, {"x": 4}], "m": 1}`},
			learned: "~pods:list[*].x",
			other:   `0 user create pods a {"list": [{"x": 5}, {"x": 6}], "m": 1}`,
		},
		"names that are drawn": {
			runs:    [2]string{"0 controller create pods a-17\n0 controller create pods a-18", "0 controller create pods a-39"},
			numbers: "pods 1 to 2",
			other:   "0 controller create pods a-1\n0 controller create pods a-2\n0 controller create pods a-3", differs: "create pods default/* [number]",
		},
		"as many as usual": {
			runs:    [2]string{"0 controller create pods a-17", "0 controller create pods a-39"},
			numbers: "pods 1",
			other:   "0 controller create pods a-1",
		},
		"fewer": {
			runs:    [2]string{"0 controller create pods a-17", "0 controller create pods a-39"},
			numbers: "pods 1", differs: "delete pods default/* [number]",
		},
	} {
		r := learn(t, c.runs[0], c.runs[1])
		if got := strings.Join(r.Learned, " "); got != c.learned {
			t.Errorf("%s: learned %s, want %s", name, got, c.learned)
		}
		numbers := ""
		for kind, n := range r.Numbers {
			numbers += kind.Resource + " " + n.String()
		}
		if numbers != c.numbers {
			t.Errorf("%s: numbers %s, want %s", name, numbers, c.numbers)
		}
		var differs []string
		for _, d := range r.Compare(run(t, c.other).Final) {
			var paths []string
			for _, change := range d.Changes {
				paths = append(paths, change.Path)
			}
			differs = append(differs, fmt.Sprint(d.Type, " ", d.Key, " ", paths))
		}
		if got := strings.Join(differs, "\n"); got != c.differs {
			t.Errorf("%s: differs %s, want %s", name, got, c.differs)
		}
		for i, usual := range r.Runs {
			if d := r.Compare(usual.Final); len(d) > 0 {
				t.Errorf("%s: run %d differs from what is usual: %v", name, i, d)
			}
		}
	}
}

// TestCounts: how often, at least and at most, over all runs.
func TestCounts(t *testing.T) {
	r := learn(t, "0 controller create pods a\n1 controller delete pods a\n2 controller create pods a\n3 user create pods b\n4 user delete pods b", "0 controller create pods a\n1 controller create secrets s\n2 user delete secrets s")
	got := map[string]Range{}
	for key, n := range r.Counts {
		got[key.String()] = n
	}
	want := map[string]Range{
		"pods default/a":    {Span{1, 2}, Span{0, 1}},
		"pods default/b":    {Span{0, 1}, Span{0, 1}},
		"secrets default/s": {Span{0, 1}, Span{0, 1}},
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	var said []string
	for _, m := range r.Miscounted(run(t, "0 user create secrets s\n1 user delete secrets s\n2 user create nodes n\n3 user create secrets s\n4 user delete secrets s\n5 user create secrets s")) {
		said = append(said, fmt.Sprint(m.Key, m.Is))
	}
	if got, want := strings.Join(said, "\n"), "nodes default/n {1 0}\nsecrets default/s {3 2}"; got != want {
		t.Errorf("miscounted:\n%s\nwant:\n%s", got, want)
	}
}

// TestEvents: bursts, what belongs to which request, and what can be found again.
func TestEvents(t *testing.T) {
	const passing = `
		25 kubelet update pods a {"metadata": {"name": "a"}, "status": 1}
		26 kubelet update pods a {"metadata": {"name": "a"}}`
	const text = `
		0 user create webs web {"spec": 1}
		10 controller create pods a
		20 controller create pods b` + passing + `
		200 controller update pods b {"metadata": {"name": "b"}, "n": 1}
		210 controller update webs web {"spec": 1, "status": 1}
		220 seatrial update webs web {"spec": 1, "status": 2}`
	other := strings.Replace(text, passing, "", 1)
	for name, c := range map[string]struct {
		runs []string
		want string
	}{
		"alike": {[]string{text, text}, `
			create of webs default/web by the user: burst 0
			create of pods default/a by the controller: burst 0, own
			create of pods default/b by the controller: burst 0, own, last
			update of pods default/a (status -→1): burst 0
			update of pods default/a (status 1→-): burst 0
			update of pods default/b by the controller (n -→1): burst 1, own
			update of webs default/web by the controller (status -→1): burst 1, own, last`},
		"different": {[]string{text, other}, `
			create of webs default/web by the user: burst 0
			create of pods default/a by the controller: burst 0, own
			create of pods default/b by the controller: burst 0, own, last
			-: burst 0
			-: burst 0
			update of pods default/b by the controller (n -→1): burst 1, own
			update of webs default/web by the controller (status -→1): burst 1, own, last`},
	} {
		var got strings.Builder
		for _, e := range learn(t, c.runs...).Events {
			said := "-"
			if trigger, ok := e.Trigger(); ok {
				said = trigger.String()
			}
			fmt.Fprintf(&got, "\n\t\t\t%s: burst %d", said, e.Burst)
			if e.Own() {
				got.WriteString(", own")
				if e.Exchange == nil || e.Exchange.Revision != e.Revision {
					t.Errorf("%s: the request of %s is %v", name, said, e.Exchange)
				}
			}
			if e.Last {
				got.WriteString(", last")
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: got %s\nwant %s", name, got.String(), c.want)
		}
	}
}

// TestStreams: what is watched in every run, and what takes an old list in any.
func TestStreams(t *testing.T) {
	r := learn(t, "watch pods\nwatch webs\nwatch secrets\nlist pods 0\nlist webs 4", "watch webs\nwatch pods\nlist secrets 17")
	if got := fmt.Sprint(r.Streams, r.StandbyStreams, r.Exposed); got != "[pods webs] [] map[pods:true]" {
		t.Error(got)
	}
}

// TestTimes: the longest silence that nobody waited for decides how long is waited.
func TestTimes(t *testing.T) {
	for text, want := range map[string]string{
		"0 user create pods a\n10 controller create pods b":                                  "400ms 2s",
		"0 user create pods a\n500 controller create pods b":                                 "750ms 2s",
		"0 user create pods a\n2000 controller create pods b":                                "1s 6s",
		"0 user create pods a\n9000 controller create pods b":                                "1s 12s",
		"0 user create pods a\n9000 user create pods b":                                      "400ms 2s", // users begin when they like
		"0 user create pods a\nstep 8000\n9000 controller create pods b":                     "400ms 2s", // and are waited for
		"0 user create pods a\n9000 kubelet update pods a {\"metadata\": {\"name\": \"a\"}}": "400ms 2s", // nothing that counts
	} {
		r := learn(t, text, text)
		if got := fmt.Sprint(r.Short, r.Long); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestOtherUsers: users who went on without what they waited for, and did something
// else to something else then.
func TestOtherUsers(t *testing.T) {
	r := learn(t, "0 user create pods a\n1 user delete pods a\nstep 0", "0 user create pods a\n1 user delete pods a\nstep 0")
	for text, want := range map[string]bool{
		"0 user create pods a\n1 user delete pods a\nstep 0 soft":                        false,
		"0 user create pods a\nstep 0":                                                   false, // nothing was soft
		"0 user create pods a\nstep 0 soft":                                              true,
		"0 user create pods a\n1 user delete pods a\n2 other create pods b\nstep 0 soft": false,
	} {
		if got := r.OtherUsers(run(t, text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
