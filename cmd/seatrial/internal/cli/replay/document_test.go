package replay

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/replay"
	"github.com/seatrial/seatrial/history"
	reporttext "github.com/seatrial/seatrial/report/text"
)

// TestText: both sides of a divergence, broken for a terminal of 60 columns, with
// what could play with it made harmless.
func TestText(t *testing.T) {
	d := &document{Replays: []*replay.Outcome{{
		Kubernetes: "v1.36.3", Verdict: replay.Diverged, Rule: "SEA1001", Subject: "Deployment default/web",
		Reason:   "step 2: expected: kube-scheduler bind pod default/web #2 on small; seen: kube-scheduler bind pod default/web #2 on big",
		Expected: 2, Seen: 2, Matched: 1, Rate: 1.0 / 3,
		Rows: []replay.Row{
			{Step: 0, Expected: "descheduler evict pod default/web #1 on big", Seen: "descheduler evict pod default/web #1 on big"},
			{Step: 1, Expected: "kube-scheduler bind pod default/web #2 on small"},
			{Step: 1, Seen: "kube-scheduler bind pod default/web #2 on big\x1b[31m"},
			{Step: 2, Expected: "rests", Seen: "nothing for 3s"},
		},
	}}}
	var b strings.Builder
	if err := d.Text(&b, reporttext.Options{Width: 60}); err != nil {
		t.Fatal(err)
	}
	const want = `diverged  SEA1001 Deployment default/web
  Kubernetes v1.36.3, 1 of 3 actions matched (33.3 %)
  step 2: expected: kube-scheduler bind pod default/web #2
  on small; seen: kube-scheduler bind pod default/web #2 on
  big

  step    expected, and seen where it differs
     1  = descheduler evict pod default/web #1 on big
     2  - kube-scheduler bind pod default/web #2 on small
     2  + kube-scheduler bind pod default/web #2 on
          big\x1b[31m
     3  = rests  |  nothing for 3s
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
}

// TestVerdicts: several replays have the worst verdict.
func TestVerdicts(t *testing.T) {
	cases := []struct {
		all  []replay.Verdict
		want replay.Verdict
		code int
	}{
		{[]replay.Verdict{replay.Confirmed, replay.Confirmed}, replay.Confirmed, 0},
		{[]replay.Verdict{replay.Inconclusive, replay.Confirmed}, replay.Inconclusive, 3},
		{[]replay.Verdict{replay.Inconclusive, replay.Diverged, replay.Confirmed}, replay.Diverged, 1},
	}
	for _, c := range cases {
		d := &document{}
		for _, v := range c.all {
			d.Replays = append(d.Replays, &replay.Outcome{Verdict: v})
		}
		d.finish()
		if d.Verdict != c.want || int(d.code()) != c.code {
			t.Errorf("%v: %s, exit %d, want %s, %d", c.all, d.Verdict, d.code(), c.want, c.code)
		}
	}
}

// TestHistories: each trace has a file of its own, in their order, and no folder means no file.
func TestHistories(t *testing.T) {
	made := history.Event{Revision: 7, Type: history.Create, Key: history.Key{Resource: "pods", Namespace: "default", Name: "web"}, Object: history.Object{"kind": "Pod"}}
	d := &document{Replays: []*replay.Outcome{{}, {History: []history.Event{made}}}}
	folder := filepath.Join(t.TempDir(), "new")
	none, err := output.WriteHistories("", d.histories())
	files, failed := output.WriteHistories(folder, d.histories())
	if errors.Join(err, failed) != nil || len(none) != 0 || len(files) != 2 || filepath.Base(files[1]) != "trace-2.jsonl" {
		t.Fatal(none, files, err, failed)
	}
	for file, want := range map[string]int{"trace-1.jsonl": 0, "trace-2.jsonl": 1} {
		f, err := os.Open(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		events, err := history.Read(f)
		if f.Close(); err != nil || len(events) != want || want == 1 && events[0].String() != "pods default/web" {
			t.Errorf("%s: %v, %v; want %d events", file, events, err, want)
		}
	}
}

// TestParse: what is no report and no trace is said.
func TestParse(t *testing.T) {
	cases := []struct{ name, content, want string }{
		{"not JSON", "{", "no report and no trace"},
		{"a list", "[1]", "no JSON object with a schema"},
		{"another schema", `{"schema":"x/v1"}`, `the schema is "x/v1"`},
		{"nothing violated", `{"schema":"seatrial.dev/report/v1alpha1","verdict":"holds","results":[]}`, "the verdict is holds"},
		{"a trace cut off", `{"schema":"seatrial.dev/trace/v1alpha1","steps":[`, "no report and no trace"},
	}
	for _, c := range cases {
		if _, err := parse([]byte(c.content)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", c.name, err, c.want)
		}
	}
}
