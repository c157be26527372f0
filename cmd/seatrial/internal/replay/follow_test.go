package replay_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/specimen"
	"github.com/seatrial/seatrial/internal/pace"
)

// followed are the clusters and seeds of every run, and how many seeds of each make
// conformance takes.
var followed = []struct {
	name  string
	text  func(seed uint64) string
	seeds []uint64
	all   uint64
	free  uint64
}{
	// 20: a machine that is lost from the start; 75: two of one zone; 87: tolerations that are
	// over when the machine is back; 110: a pod that is bound to a machine that is lost.
	{"cluster", specimen.Cluster, []uint64{20, 75, 87, 110}, 200, 20},
	// 25: a sync that writes a ReplicaSet twice; 27: three templates in the air; 83:
	// many actions; 81: the first write of a sync that had seen less than its second;
	// 126: tolerations that are over while others are at work; 221: minReadySeconds that are.
	{"contest", specimen.Contest, []uint64{25, 27, 81, 83, 126, 221}, 300, 60},
}

// only are the runs of TestFollow to take instead: cluster/101-140.
var only = flag.String("follow", "", "the clusters to follow in lock-step instead of the usual ones: NAME/FROM-TO")

// within are the seeds that the flag asks for; ok is false if it does not say.
func within(name string) (seeds []uint64, ok bool) {
	var from, to uint64
	if *only == "" {
		return nil, false
	}
	if rest, is := strings.CutPrefix(*only, name+"/"); is {
		if n, _ := fmt.Sscanf(rest, "%d-%d", &from, &to); n == 1 {
			to = from
		}
		for seed := from; seed <= to; seed++ {
			seeds = append(seeds, seed)
		}
	}
	return seeds, true
}

// followSteps bounds a run.
const followSteps = 40

// tally counts runs by what became of them.
type tally struct {
	runs, actions, confirmed, inconclusive, diverged int
}

func (n *tally) count(o *replay.Outcome) {
	n.runs++
	n.actions += o.Seen
	switch o.Verdict {
	case replay.Confirmed:
		n.confirmed++
	case replay.Inconclusive:
		n.inconclusive++
	default:
		n.diverged++
	}
}

func (n *tally) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d |", name, n.runs, n.actions, n.confirmed, n.diverged, n.inconclusive)
}

// TestFollow: what real components do in lock-step, in any order, is a path of the
// model, and where the model goes on they do. Without lock-step a run may leave the
// model, which knows no stale views: those are counted.
func TestFollow(t *testing.T) {
	pace.Slow(t)
	conformance := os.Getenv("SEATRIAL_CONFORMANCE") != ""
	var rows []string
	for _, f := range followed {
		seeds := f.seeds
		if conformance {
			seeds = upTo(f.all)
		}
		asked, narrowed := within(f.name)
		if narrowed {
			seeds = asked
		}
		var inStep, free tally
		for _, seed := range seeds {
			t.Run(fmt.Sprintf("%s/%d", f.name, seed), func(t *testing.T) {
				if o := follow(t, replay.Follow, f.text(seed), seed); o != nil {
					inStep.count(o)
					t.Log(o.Verdict, o.Seen, o.Reason)
					if o.Verdict == replay.Diverged || o.Verdict != replay.Confirmed && !conformance {
						t.Errorf("%s: %s\n%s\nthe path\n%s", o.Verdict, o.Reason, lines(o), path(o))
					}
				}
			})
		}
		rows = append(rows, inStep.row("`"+f.name+"`, in lock-step"))
		if !conformance || narrowed {
			continue
		}
		for _, seed := range upTo(f.free) {
			t.Run(fmt.Sprintf("%s/%d/free", f.name, seed), func(t *testing.T) {
				if o := follow(t, replay.FollowFree, f.text(seed), seed); o != nil {
					free.count(o)
					t.Log(o.Verdict, o.Seen, o.Reason)
				}
			})
		}
		if free.runs > 0 && free.confirmed == 0 {
			t.Errorf("%s: of %d free runs none is a path of the model", f.name, free.runs)
		}
		rows = append(rows, free.row("`"+f.name+"`, free"))
	}
	t.Log("\n" + strings.Join(rows, "\n"))
	if conformance && *rewrite && *only == "" {
		writeFollowed(t, rows)
	}
}

func upTo(n uint64) []uint64 {
	var out []uint64
	for seed := uint64(1); seed <= n; seed++ {
		out = append(out, seed)
	}
	return out
}

// follow follows real components in the cluster of a text; nil if it is refused, or
// has pods of its own, which a control plane cannot be brought to.
func follow(t *testing.T, by func(context.Context, *cluster.Stepper, uint64, int, replay.Options) (*replay.Outcome, error), text string, seed uint64) *replay.Outcome {
	t.Helper()
	in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(text), manifest.Options{
		ValidateDescheduler: cluster.CheckPolicy, ValidateExpression: cluster.CheckExpression,
	})
	if err != nil || len(in.Pods) > 0 {
		return nil
	}
	m, err := cluster.NewStepper(t.Context(), in, cluster.Options{})
	if err != nil {
		return nil
	}
	o, err := by(context.WithoutCancel(t.Context()), m, seed, followSteps, replay.Options{Timeout: limit})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// path is the path of the model that was followed.
func path(o *replay.Outcome) string {
	var b strings.Builder
	for _, line := range o.Path.Initial {
		fmt.Fprintln(&b, "    ", line)
	}
	for i, s := range o.Path.Steps {
		fmt.Fprintf(&b, "%3d  %s: %s [%s]\n", i+1, s.Actor, s.Action, s.Note)
		for _, c := range s.Changes {
			fmt.Fprintf(&b, "       %s: %s: %s -> %s\n", c.Object, c.Field, c.From, c.To)
		}
	}
	return b.String()
}

var followedTable = regexp.MustCompile(`(?s)(\| clusters \| .*?\n\|[-|]+\|\n).*?(\n\n|$)`)

// writeFollowed puts the rows into their table of docs/FIDELITY.md.
func writeFollowed(t *testing.T, rows []string) {
	t.Helper()
	page, err := os.ReadFile(fidelityPage)
	if err != nil || !followedTable.Match(page) {
		t.Fatalf("docs/FIDELITY.md has no table that begins with | clusters |: %v", err)
	}
	page = bytes.TrimRight(followedTable.ReplaceAll(page, []byte("${1}"+strings.Join(rows, "\n")+"${2}")), "\n")
	if err := os.WriteFile(fidelityPage, append(page, '\n'), 0o666); err != nil {
		t.Fatal(err)
	}
}
