package cluster

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/statespace"
)

const (
	memoWalks = 6  // per input
	memoSteps = 80 // per walk, at most
)

// TestMemoKeysAreComplete walks at random through every case and every cluster
// of the transcripts with one memory of the real code's answers, and then asks
// again without any memory in every third state. An answer that was remembered
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

func compareMemory(t *testing.T, in *manifest.Input) {
	policy := func() *descheduler.Policy {
		if in.DeschedulerPolicy == nil {
			return nil
		}
		p, err := descheduler.LoadPolicy(in.DeschedulerPolicy.Value)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// Strict, so that slow actors are asked in every state.
	warm, err := build(t.Context(), in, Options{Strict: true})
	if _, bad := manifest.AsProblems(err); bad {
		return // a script about bad input
	} else if err != nil {
		t.Fatal(err)
	}
	cold, err := build(t.Context(), in, Options{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	warm.Prepare()
	cold.Prepare()
	start, _, err := starts(t.Context(), warm, statespace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, fresh := model.NewVector(warm, start), model.NewVector(cold, start)
	r := rand.New(rand.NewPCG(7, 8))
	var visited []*model.State
	for range memoWalks {
		walk := statespace.Walk(v, func(n int) int { return r.IntN(n) }, memoSteps)
		visited = append(visited, v.Decode(walk.Init))
		for _, step := range walk.Steps {
			visited = append(visited, v.Decode(step.State))
		}
	}
	for i := 0; i < len(visited); i += 3 {
		if cold.Kube, err = model.NewKube(cold, policy()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(stepsFrom(fresh, visited[i]), stepsFrom(v, visited[i])); diff != "" {
			t.Fatalf("in\n%s\n(-asked +remembered):\n%s", strings.Join(lines(view(warm, visited[i])), "\n"), diff)
		}
	}
	if err := warm.Kube.Err(); err != nil {
		t.Fatal(err)
	}
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
