package cluster

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/statespace"
)

// TestTranscripts runs the scripts of testdata/transcript: one for each actor,
// each type of event and each thing that is easily got wrong. A script reads
// as a session with the model:
//
//	cluster [strict]   takes manifests and a scenario; says what is wrong with them
//	start [all]        goes to the first initial state and shows it; all shows each
//	state              shows where we are, as kubectl would
//	hidden             shows what is remembered and kubectl does not show
//	steps              lists the steps that are possible now, with their fairness
//	take               takes, for each line of the input, the one step that it
//	                   matches, and shows what changes
//	run until rest     takes the first fair step again and again until there is none;
//	                   those that match a line of the input are not taken
//	run until possible the same until a step that matches the input is possible
//
// Lines of the input of take and run are regular expressions over the lines
// that steps prints. Run with -rewrite to record what happens now.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/transcript/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()
			p := &play{}
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				out, err := p.command(d)
				if err != nil {
					return "error: " + err.Error() + "\n"
				}
				return out
			})
		})
	}
}

// play is one script being run.
type play struct {
	w     *model.World
	v     *model.Vector
	start []*model.State
	now   []statespace.ID
}

func (p *play) command(d *datadriven.TestData) (string, error) {
	if d.Cmd == "cluster" {
		return p.load(d.Input, d.HasArg("strict"))
	}
	if p.w == nil {
		return "", fmt.Errorf("no cluster")
	}
	if d.Cmd == "start" {
		return p.begin(d.HasArg("all"))
	}
	if p.v == nil {
		return "", fmt.Errorf("not started")
	}
	switch d.Cmd {
	case "state":
		return p.state(), nil
	case "hidden":
		return p.hidden(), nil
	case "steps":
		return p.list(), nil
	case "take":
		return p.take(strings.Split(strings.TrimSpace(d.Input), "\n"))
	case "run":
		var patterns []string
		if d.Input != "" {
			patterns = strings.Split(strings.TrimSpace(d.Input), "\n")
		}
		return p.run(d.HasArg("possible"), patterns)
	}
	return "", fmt.Errorf("no command %s", d.Cmd)
}

// worldOf is the world of manifests given as text, ready to be explored, and
// what the loader warns of.
func worldOf(text string, strict bool) (*model.World, []string, error) {
	in, err := manifest.Load(context.Background(), []string{"-"}, strings.NewReader(text), manifest.Options{ValidateDescheduler: CheckPolicy})
	if err != nil {
		return nil, nil, err
	}
	w, err := build(context.Background(), in, Options{Strict: strict})
	if err != nil {
		return nil, nil, err
	}
	w.Prepare()
	var notes []string
	for _, warning := range in.Warnings {
		notes = append(notes, "warning: "+warning.Message)
	}
	for _, o := range in.Omissions(w.Scenario.Accept) {
		if o.Blocking && !o.Accepted {
			notes = append(notes, "left out: "+o.Name+": "+o.Reason)
		}
	}
	return w, notes, nil
}

func (p *play) load(text string, strict bool) (string, error) {
	*p = play{}
	w, notes, err := worldOf(text, strict)
	if err != nil {
		return "", err
	}
	p.w = w
	if len(notes) == 0 {
		notes = []string{"ok"}
	}
	return strings.Join(notes, "\n") + "\n", nil
}

func (p *play) begin(all bool) (string, error) {
	var err error
	if p.start, _, err = starts(context.Background(), p.w, statespace.Options{}); err != nil {
		return "", err
	}
	p.v = model.NewVector(p.w, p.start)
	p.now = p.v.Encode(p.start[0], nil, nil)
	var out strings.Builder
	if !all {
		fmt.Fprintf(&out, "%s\n%s", plural(len(p.start), "initial state"), p.state())
		return out.String(), nil
	}
	for i, s := range p.start {
		fmt.Fprintf(&out, "initial state %d of %d\n", i+1, len(p.start))
		for _, line := range lines(view(p.w, s)) {
			fmt.Fprintf(&out, "  %s\n", line)
		}
	}
	return out.String(), nil
}

func (p *play) state() string {
	var out strings.Builder
	for _, line := range lines(view(p.w, p.v.Decode(p.now))) {
		fmt.Fprintf(&out, "  %s\n", line)
	}
	return out.String()
}

// hidden shows what behaviour depends on beyond the view: annotations, memory,
// loads, what an event has changed for good, and the finer condition of pods.
func (p *play) hidden() string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, "  "+format+"\n", args...) }
	s := p.v.Decode(p.now)
	for i, work := range s.Work {
		spec := &p.w.Workloads[i]
		say("%s: load %s", spec.Object(), p.w.Load(s, i).Text)
		if work.Never != model.NeverNone {
			say("%s: never ready: %d", spec.Object(), work.Never)
		}
		for r, set := range work.Sets {
			if set.Exists {
				say("ReplicaSet %s: desired-replicas %d, max-replicas %d", setName(spec, r), set.Desired, set.Max)
			}
		}
	}
	for i, h := range s.HPA {
		say("HorizontalPodAutoscaler %s: %+v", p.w.HPAs[i].Name(), h.Memory)
	}
	for i, b := range s.PDB {
		if b.Rev != model.Absent {
			say("PodDisruptionBudget %s: {Allowed:%d Current:%d Desired:%d Expected:%d}", p.w.PDBs[i].Name(), b.Allowed, b.Current, b.Desired, b.Expected)
		}
	}
	for i, n := range s.Nodes {
		if n.Event != 0 || !n.Up || n.Drain != model.DrainNone || n.Maintained {
			say("Node %s: up %v, event %d, drain %d, turn over %v", p.w.Nodes[i].Name(), n.Up, n.Event, n.Drain, n.Maintained)
		}
	}
	s.Each(func(at model.Place, c model.PodCount) {
		where := "nowhere"
		if at.Node >= 0 {
			where = p.w.Nodes[at.Node].Name()
		}
		say("%d pods of %s on %s: %v available %v, ever ready %v, stage %d, restarts %d", c.N, p.w.Workloads[c.Work].Object(), where,
			c.Phase, p.w.Available(s, c.Pod), c.EverReady, c.Stage, c.Restarts)
	})
	return out.String()
}

func setName(spec *model.WorkloadSpec, rev int) string { return spec.Revisions[rev].Set.Name }

// option is one possible step, as steps prints it.
type option struct {
	line  string
	fair  bool
	label uint32
	to    []statespace.ID
}

func (p *play) options() []option {
	from := p.v.Decode(p.now)
	var out []option
	p.v.Next(p.now, func(a statespace.Action, to []statespace.ID) bool {
		out = append(out, option{label: a.Label, to: slices.Clone(to)})
		o := &out[len(out)-1]
		actor, step := p.v.Explain(from, a.Label)
		e := step.Explain()
		fairness := p.w.Classes[a.Class].Fairness
		o.fair = fairness != statespace.Unfair
		o.line = fmt.Sprintf("%s: %s", model.Title(actor), e.Action)
		if e.Note != "" {
			o.line += " [" + e.Note + "]"
		}
		switch fairness {
		case statespace.Unfair:
			o.line += " (may happen)"
		case statespace.Strong:
			o.line += " (strongly fair)"
		}
		return true
	})
	return out
}

func (p *play) list() string {
	options := p.options()
	if len(options) == 0 {
		return "none\n"
	}
	var out strings.Builder
	for _, o := range options {
		fmt.Fprintf(&out, "%s\n", o.line)
	}
	return out.String()
}

func (p *play) take(patterns []string) (string, error) {
	var out strings.Builder
	for _, pattern := range patterns {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return "", err
		}
		var fit []option
		for _, o := range p.options() {
			if re.MatchString(o.line) {
				fit = append(fit, o)
			}
		}
		// Two steps that read the same and lead to the same state are one.
		for len(fit) > 1 && slices.Equal(fit[0].to, fit[1].to) {
			fit = fit[1:]
		}
		if len(fit) != 1 {
			return "", fmt.Errorf("%d steps match %q of\n%s", len(fit), pattern, p.list())
		}
		fmt.Fprintf(&out, "%s\n%s", fit[0].line, p.move(fit[0]))
	}
	return out.String(), nil
}

// move takes a step and says what a user sees of it.
func (p *play) move(o option) string {
	before := view(p.w, p.v.Decode(p.now))
	p.now = o.to
	var out strings.Builder
	for _, c := range changes(before, view(p.w, p.v.Decode(p.now))) {
		fmt.Fprintf(&out, "  %s: %s: %s -> %s\n", c.Object, c.Field, c.From, c.To)
	}
	return out.String()
}

// runMax is more than any script needs: beyond it there is no rest.
const runMax = 300

func (p *play) run(possible bool, patterns []string) (string, error) {
	match := func(o option) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool { return regexp.MustCompile(pattern).MatchString(o.line) })
	}
	var out strings.Builder
	for range runMax {
		options := p.options()
		if possible && slices.ContainsFunc(options, match) {
			return out.String(), nil
		}
		next := slices.IndexFunc(options, func(o option) bool { return o.fair && (possible || !match(o)) })
		if next < 0 {
			if possible {
				return "", fmt.Errorf("never possible; at rest after\n%s", out.String())
			}
			return out.String(), nil
		}
		fmt.Fprintf(&out, "%s\n", options[next].line)
		p.move(options[next])
	}
	return "", fmt.Errorf("no rest after %d steps, the last\n%s", runMax, p.list())
}
