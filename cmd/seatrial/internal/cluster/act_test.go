package cluster

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/actor"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// Every step says, in acts, what it does: an interpreter that knows no actor gets
// from them where the model gets. It is held to that for every step that is
// possible along random walks through all examples and the clusters of all
// transcripts, and for the walks as whole traces, written and read again.
func TestActsLeadWhereStepsLead(t *testing.T) {
	var all covered
	t.Run("clusters", func(t *testing.T) {
		for name, in := range actClusters(t) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for _, strict := range []bool{false, true} {
					w, err := build(t.Context(), in, Options{Strict: strict, Exact: true})
					if err != nil {
						t.Fatal(err)
					}
					w.Prepare()
					for seed := range uint64(actWalks) {
						walkActs(t, &run{in: in, w: w}, seed, &all)
					}
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	for _, a := range all.missing() {
		t.Errorf("no walk comes by a step of %s", a)
	}
	if diff := cmp.Diff(documentedVerbs(t), slices.Sorted(maps.Keys(all.verbs))); diff != "" {
		t.Errorf("docs/traces.md lists other verbs than there are (-documented +seen):\n%s", diff)
	}
}

const (
	actWalks = 1
	actSteps = 30
)

// covered are the classes of steps and the verbs of acts that were seen.
type covered struct {
	mu    sync.Mutex
	steps map[string]bool
	verbs map[string]bool
	known map[string]bool
}

func (c *covered) add(w *model.World, a model.Actor, s model.Step, acts []trace.Act) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.steps == nil {
		c.steps, c.verbs, c.known = map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	c.steps[a.Name()+" "+s.Verb] = true
	for _, act := range acts {
		c.verbs[act.Verb] = true
	}
	for _, actor := range w.Actors {
		for _, v := range actor.Verbs() {
			c.known[actor.Name()+" "+v.Name] = true
		}
	}
}

// missing are the steps of built-in actors that were not seen.
func (c *covered) missing() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(c.known)) {
		if !c.steps[name] && !strings.HasPrefix(name, "actor ") {
			out = append(out, name)
		}
	}
	return out
}

// walkActs takes a random walk and looks at all steps by its side.
func walkActs(t *testing.T, r *run, seed uint64, all *covered) {
	t.Helper()
	start, _, err := starts(t.Context(), r.w, statespace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.v = model.NewVector(r.w, start)
	walk, _ := newWalker(r.v, seed).walk(t.Context(), actSteps)
	at := walk.Init
	for k := 0; k <= len(walk.Steps) && !t.Failed(); k++ {
		from := r.v.Decode(at)
		beside := model.NewVector(r.w, start)
		beside.Only = func(a model.Actor, s model.Step) bool {
			all.add(r.w, a, s, sideStep(t, r.w, from, a, s))
			return false
		}
		beside.Next(beside.Encode(from, nil, nil), nil)
		if k < len(walk.Steps) {
			at = walk.Steps[k].State
		}
	}
	if !t.Failed() {
		wholeTrace(t, r, walk)
	}
}

// sideStep holds the acts of one step to where it leads.
func sideStep(t *testing.T, w *model.World, from *model.State, a model.Actor, s model.Step) []trace.Act {
	e := s.Explain()
	names := newRoster(w, from)
	acts := names.acts(e.Acts, s.To)
	what := fmt.Sprintf("%s: %s", model.Title(a), e.Action)
	if len(acts) == 0 || names.lost {
		t.Errorf("%s: %d acts, lost %v", what, len(acts), names.lost)
		return nil
	}
	f := follow(seen(w, from), newRoster(w, from).start)
	for i := range acts {
		if err := f.Act(&acts[i]); err != nil {
			t.Errorf("%s: %v", what, err)
			return nil
		}
	}
	want := seen(w, s.To)
	if diff := cmp.Diff(want, f.like(want)); diff != "" {
		t.Errorf("%s: its acts lead elsewhere (-step +acts):\n%s", what, diff)
	}
	return acts
}

// wholeTrace follows a walk from nothing but what is written of it.
func wholeTrace(t *testing.T, r *run, walk statespace.Trace[[]statespace.ID]) {
	t.Helper()
	told, _, _ := r.tell(&walk)
	var b bytes.Buffer
	if err := trace.Encode(&b, told); err != nil {
		t.Fatal(err)
	}
	read, err := trace.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if read.Setup == nil {
		t.Fatal("the walk has no setup")
	}
	first := seen(r.w, r.v.Decode(walk.Init))
	begin, err := read.Start()
	if err != nil {
		t.Fatal(err)
	}
	// What the model brings to a state by itself.
	begin.Statuses, begin.Taints, begin.Unready, begin.Down = first.Statuses, first.Taints, first.Unready, first.Down
	for object, load := range first.Loads {
		if begin.Loads[object] == "" {
			begin.Loads[object] = load
		}
	}
	f := &follower{begin}
	if diff := cmp.Diff(first, f.now()); diff != "" {
		t.Fatalf("the setup is of another cluster (-state +setup):\n%s", diff)
	}
	for i, s := range read.Steps {
		for k := range s.Acts {
			if err := f.Act(&s.Acts[k]); err != nil {
				t.Fatalf("step %d, %s: %v", i+1, s.Action, err)
			}
		}
		want := seen(r.w, r.v.Decode(walk.Steps[i].State))
		if diff := cmp.Diff(want, f.like(want)); diff != "" {
			t.Fatalf("step %d, %s: the acts lead elsewhere (-step +acts):\n%s", i+1, s.Action, diff)
		}
	}
}

// mute is an actor of a clone that does not say what it does to programs.
type mute struct{ model.Writer }

func (mute) Verbs() []model.Verb {
	return []model.Verb{{Name: "cordon", Grain: model.ByPool, Fairness: statespace.Weak}}
}
func (mute) Scales(int) bool { return false }
func (mute) Writes(x *model.Turn) []model.Step {
	if x.State.Nodes[0].Unschedulable {
		return nil
	}
	to := x.State.Clone()
	to.EditNode(0).Unschedulable = true
	return []model.Step{{Verb: "cordon", Work: model.NoWork, To: to, Explain: func() model.Explanation { return model.Explanation{Action: "cordons"} }}}
}

// A trace of which a step says nothing to programs is for people alone.
func TestATraceWithAMuteStepIsNotForPrograms(t *testing.T) {
	w, _, err := worldOf(historyObjects, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, silent := range []bool{false, true} {
		if w.Own, w.Classes = nil, nil; silent {
			w.Own = []model.Actor{actor.Own("mute", model.Fast, mute{})}
		}
		w.Prepare()
		start, _, err := starts(t.Context(), w, statespace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r := &run{in: &manifest.Input{}, w: w, v: model.NewVector(w, start)}
		walk, _ := newWalker(r.v, 1).walk(t.Context(), actSteps)
		told, _, _ := r.tell(&walk)
		if (told.Setup == nil) != silent || (told.Pods == nil) != silent {
			t.Errorf("a mute step: %v; a setup: %v", silent, told.Setup != nil)
		}
	}
}

// actClusters are the clusters of all examples and transcripts that can be built.
func actClusters(t *testing.T) map[string]*manifest.Input {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "examples")
	out := map[string]*manifest.Input{}
	for _, pattern := range []string{"cases/*/*/manifests.yaml", "rules/*/*/*.yaml"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(files) == 0 {
			t.Fatalf("no examples: %v", err)
		}
		for _, file := range files {
			dir := filepath.Dir(file)
			in, err := manifest.Load(t.Context(), []string{dir}, strings.NewReader(""), manifest.Options{ValidateDescheduler: CheckPolicy})
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(root, dir)
			s, err := open(t.Context(), in, Options{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.ToSlash(name)] = s.setups[0].Apply(s.in)
		}
	}
	files, err := filepath.Glob("testdata/transcript/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range transcriptCluster.FindAllStringSubmatch(string(text), -1) {
			in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(m[1]), manifest.Options{ValidateDescheduler: CheckPolicy})
			if err != nil {
				continue // what is wrong is what the transcript shows
			}
			if _, err := build(t.Context(), in, Options{}); err == nil {
				out[fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(file), ".txt"), i)] = in
			}
		}
	}
	return out
}

// transcriptCluster is the input of a cluster command of a transcript.
var transcriptCluster = regexp.MustCompile(`(?ms)^cluster[^\n]*\n(.*?)^----$`)

var verbRow = regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|")

// documentedVerbs are those that the table of docs/traces.md has.
func documentedVerbs(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "traces.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range verbRow.FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return out
}
