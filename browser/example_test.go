package browser

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/trace"
)

// command is the path of the command.
var command = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("SEATRIAL"); path != "" {
		return path, nil
	}
	dir, err := os.MkdirTemp("", "seatrial-browser-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "seatrial")
	build := exec.Command("go", "build", "-buildvcs=false", "-tags", "grpcnotrace", "-o", path, ".")
	build.Dir = filepath.Join("..", "cmd", "seatrial")
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the command: %w\n%s", err, out)
	}
	return path, nil
})

// checked runs the command on a case of the examples, and returns what it writes as
// JSON and as a page.
func checked(t *testing.T, name string) (*finding.Report, string) {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	page, data := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.json")
	check := exec.Command(path, "check", "--quiet", "--output=json="+data, "--output=html="+page, filepath.Join("examples", "cases", name))
	check.Dir = ".."
	var code *exec.ExitError
	if out, err := check.CombinedOutput(); err != nil && (!errors.As(err, &code) || code.ExitCode() != 1) {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := reportjson.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return r, page
}

// What a page shows of a case, step by step, is what the trace of its JSON report
// says: each pod on its node, as it is.
func TestEachStepShowsTheStateOfTheTrace(t *testing.T) {
	for _, name := range []string{"kivi-c5/bad", "kivi-c1/bad", "e1/bad", "kivi-c7/bad", "recreate-node-loss/bad"} {
		t.Run(name, func(t *testing.T) {
			r, file := checked(t, name)
			violation := violated(t, r)
			p := open(t, file, 1280, 1000, false)
			if got := value[[]string](p, `[...document.querySelectorAll("h1, .message")].map((e) => e.textContent)`); !slices.Contains(got, violation.Message) {
				t.Errorf("the page says %q, the report %q", got, violation.Message)
			}
			state, err := violation.Trace.Start()
			if err != nil {
				t.Fatal(err)
			}
			compare(t, p, "the start", state)
			for i, step := range violation.Trace.Steps {
				for k := range step.Acts {
					if err := state.Act(&step.Acts[k]); err != nil {
						t.Fatal(err)
					}
				}
				p.press(kb.ArrowRight)
				compare(t, p, fmt.Sprintf("step %d", i+1), state)
				if got := value[string](p, `document.querySelector(".step.open .sentence").textContent`); !strings.HasPrefix(got, step.Actor+" "+step.Action) {
					t.Errorf("step %d is said to be %q", i+1, got)
				}
			}
			backwards(t, p, violation.Trace)
			p.clean()
		})
	}
}

func violated(t *testing.T, r *finding.Report) *finding.Result {
	t.Helper()
	for i := range r.Results {
		if r.Results[i].Verdict == finding.Violated && r.Results[i].Trace != nil {
			return &r.Results[i]
		}
	}
	t.Fatal("nothing is violated")
	return nil
}

// backwards: what was seen on the way there is seen on the way back.
func backwards(t *testing.T, p *tab, tr *trace.Trace) {
	t.Helper()
	for i := len(tr.Steps) - 1; i >= 0; i-- {
		p.press(kb.ArrowLeft)
		state, err := tr.Start()
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range tr.Steps[:i] {
			for k := range step.Acts {
				if err := state.Act(&step.Acts[k]); err != nil {
					t.Fatal(err)
				}
			}
		}
		compare(t, p, fmt.Sprintf("step %d, backwards", i), state)
	}
}

// compare holds the page to a state.
func compare(t *testing.T, p *tab, where string, s *trace.State) {
	t.Helper()
	want := map[string][]string{}
	for id, pod := range s.Pods {
		want[pod.Node] = append(want[pod.Node], fmt.Sprintf("%s#%d#%d %s", id.Owner, id.Revision, id.Ordinal, looks(pod)))
	}
	got := value[map[string][]string](p, `(() => {
		const out = {};
		for (const box of document.querySelectorAll(".node, .waiting")) {
			const pods = [...box.querySelectorAll(".pod")].map((e) => e.dataset.pod + " " + e.className.replace(/ w\d| changed/g, "").replace("pod ", ""));
			if (pods.length > 0) out[box.dataset.node || ""] = pods;
		}
		return out;
	})()`)
	for _, node := range slices.Sorted(maps.Keys(want)) {
		slices.Sort(want[node])
		slices.Sort(got[node])
		if !slices.Equal(want[node], got[node]) {
			t.Errorf("%s: node %q has\n%q, the trace says\n%q", where, node, got[node], want[node])
		}
		delete(got, node)
	}
	if len(got) > 0 {
		t.Errorf("%s: pods that the trace does not have: %q", where, got)
	}
	cordoned := value[[]string](p, `[...document.querySelectorAll(".node.cordoned")].map((e) => "Node " + e.dataset.node)`)
	if want := slices.Sorted(maps.Keys(s.Cordoned)); !slices.Equal(want, slices.Sorted(slices.Values(cordoned))) {
		t.Errorf("%s: cordoned are %q, the trace says %q", where, cordoned, want)
	}
}

func looks(p trace.Pod) string {
	out := "unready"
	switch {
	case p.Phase == "Failed":
		out = "failed"
	case p.Crashing:
		out = "crashing"
	case p.Phase == "Pending":
		out = "pending"
	case p.Ready:
		out = "ready"
	}
	if p.Terminating {
		out += " terminating"
	}
	return out
}
