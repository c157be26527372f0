package cluster

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/statespace"
)

const (
	memoWalks = 2  // per input and size
	memoSteps = 80 // per walk, at most
	memoNodes = 4  // of the largest size
)

// TestMemoKeysAreComplete walks at random through every case and every cluster
// of the transcripts, at several sizes that share one memory of the real code's
// answers, and then asks again without any memory in every third state. An answer that was remembered
// under a key that lacks something the question reads would give other steps,
// or explain them in another way.
func TestMemoKeysAreComplete(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("..", "..", "..", "..", "examples", "cases", "*", "*", "manifests.yaml"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(filepath.Dir(dir))+"/"+filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			in, err := manifest.Load(t.Context(), []string{dir}, nil, manifest.Options{ValidateDescheduler: CheckPolicy})
			if err != nil {
				t.Fatal(err)
			}
			compareMemory(t, in)
		})
	}
	scripts, err := filepath.Glob("testdata/transcript/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range clusters.FindAllStringSubmatch(string(text), -1) {
			t.Run(fmt.Sprintf("%s/%d", strings.TrimSuffix(filepath.Base(path), ".txt"), i+1), func(t *testing.T) {
				t.Parallel()
				in, err := manifest.Load(t.Context(), []string{"-"}, strings.NewReader(m[1]), manifest.Options{ValidateDescheduler: CheckPolicy})
				if err != nil {
					return // a script about bad input
				}
				compareMemory(t, in)
			})
		}
	}
}

// clusters finds the inputs of a transcript.
var clusters = regexp.MustCompile("(?ms)^cluster[a-z ]*\n(.*?)^----$")

// sizesOf are an input at several sizes: as it is, with one replica more, and with
// more nodes.
func sizesOf(t *testing.T, in *manifest.Input) []*manifest.Input {
	out := []*manifest.Input{in}
	if len(in.Deployments) > 0 {
		more := *in
		more.Deployments = slices.Clone(in.Deployments)
		d := more.Deployments[0].Value.DeepCopy()
		*d.Spec.Replicas++
		more.Deployments[0].Value = d
		out = append(out, &more)
	}
	if s, err := open(t.Context(), in, Options{Grow: true}); err == nil {
		for i := len(s.setups) - 1; i >= 0; i-- {
			if s.setups[i].Nodes <= memoNodes {
				return append(out, s.setups[i].Apply(s.in))
			}
		}
	}
	return out
}

// remembering is a World that shares a memory with those of other sizes, and states
// of it.
type remembering struct {
	in      *manifest.Input
	v       *model.Vector
	visited []*model.State
}

func compareMemory(t *testing.T, in *manifest.Input) {
	memo := model.NewMemo(0, nil)
	r := rand.New(rand.NewPCG(7, 8))
	var sizes []remembering
	for _, size := range sizesOf(t, in) {
		// Strict, so that slow actors are asked in every state.
		warm, err := build(t.Context(), size, Options{Strict: true, memo: memo})
		if _, bad := manifest.AsProblems(err); bad {
			continue // a script about bad input
		} else if err != nil {
			t.Fatal(err)
		}
		warm.Prepare()
		start, _, err := starts(t.Context(), warm, statespace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := remembering{in: size, v: model.NewVector(warm, start)}
		for range memoWalks {
			walk := statespace.Walk(s.v, func(n int) int { return r.IntN(n) }, memoSteps)
			s.visited = append(s.visited, s.v.Decode(walk.Init))
			for _, step := range walk.Steps {
				s.visited = append(s.visited, s.v.Decode(step.State))
			}
		}
		sizes = append(sizes, s)
	}
	for i := range sizes {
		sizes[i].compare(t, r)
		if err := sizes[i].v.World.Kube.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// compare asks again without any memory in every third state, and with its nodes in
// another order.
func (s *remembering) compare(t *testing.T, r *rand.Rand) {
	cold, err := build(t.Context(), s.in, Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	cold.Prepare()
	var policy *descheduler.Policy
	if s.in.DeschedulerPolicy != nil {
		if policy, err = descheduler.LoadPolicy(s.in.DeschedulerPolicy.Value); err != nil {
			t.Fatal(err)
		}
	}
	if cold.Kube, err = model.NewKube(cold, policy, nil); err != nil {
		t.Fatal(err)
	}
	fresh := model.NewVector(cold, nil)
	for i := 0; i < len(s.visited); i += 3 {
		for _, at := range []*model.State{s.visited[i], shuffled(cold, s.visited[i], r)} {
			if diff := cmp.Diff(stepsFrom(fresh, at), stepsFrom(s.v, at)); diff != "" {
				t.Fatalf("in\n%s\n(-asked +remembered):\n%s", strings.Join(lines(view(cold, at)), "\n"), diff)
			}
		}
	}
	if err := cold.Kube.Err(); err != nil {
		t.Fatal(err)
	}
}

// shuffled is s with interchangeable nodes in another order.
func shuffled(w *model.World, s *model.State, r *rand.Rand) *model.State {
	out := s.Clone()
	for i := range out.Nodes {
		if j := r.IntN(i + 1); w.Nodes[j].Class == w.Nodes[i].Class {
			out.Nodes[i], out.Nodes[j] = out.Nodes[j], out.Nodes[i]
		}
	}
	return out
}

// stepsFrom are the steps from s in full: class, label, explanation and the
// bytes of the state that each leads to.
func stepsFrom(v *model.Vector, s *model.State) []string {
	var out []string
	v.Next(v.Encode(s, nil, nil), func(a statespace.Action, to []statespace.ID) bool {
		actor, step := v.Explain(s, a.Label)
		e := step.Explain()
		var next []byte
		for _, id := range to {
			next = append(next, v.Components().Bytes(id)...)
		}
		out = append(out, fmt.Sprintf("%d %x %s: %s [%s] %x", a.Class, a.Label, model.Title(actor), e.Action, e.Note, next))
		return true
	})
	return out
}
