package trace

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (rewrite with -update once you understand why)\n--- want\n%s--- got\n%s", path, want, got)
	}
}

func at(i int) *int { return &i }

// eviction is a descheduler that evicts what the scheduler puts back.
func eviction() *Trace {
	return &Trace{
		Initial: []string{
			"2 nodes: big-1 (4 cpu, 16Gi), small-1 (1 cpu, 16Gi)",
			"Deployment default/web: 4 replicas, 3 pods on big-1, 1 on small-1",
		},
		Steps: []Step{
			{
				Actor: "descheduler", Action: "evicts a pod of default/web from big-1",
				Note:    "RemoveDuplicates: 4 pods on 2 nodes, at most 2 on each",
				Changes: []Change{{Object: "Pod default/web-1", Field: "metadata.deletionTimestamp", From: "", To: "set"}},
			},
			{
				Actor: "kubelet", Action: "ends a pod of default/web on big-1",
				Changes: []Change{{Object: "Pod default/web-1", Field: "status.phase", From: "Running", To: "gone"}},
			},
			{
				Actor: "replicaset", Action: "creates a pod of default/web",
				Changes: []Change{{Object: "Pod default/web-5", Field: "status.phase", From: "", To: "Pending"}},
			},
			{
				Actor: "scheduler", Action: "binds a pod of default/web to big-1",
				Note:    "small-1: Insufficient cpu",
				Changes: []Change{{Object: "Pod default/web-5", Field: "spec.nodeName", From: "", To: "big-1"}},
			},
			{
				Actor: "kubelet", Action: "starts a pod of default/web on big-1",
				Changes: []Change{{Object: "Pod default/web-5", Field: "status.phase", From: "Pending", To: "Running"}},
			},
		},
		Loop: at(0),
	}
}

// rollout is long: n steps, the last repeat of which starts at loop.
func rollout(n, loop int) *Trace {
	t := &Trace{Initial: []string{"3 nodes", "Deployment shop/api: 9 replicas", "HorizontalPodAutoscaler shop/api: 3 to 12", "load 4500m", "no event in flight"}, Loop: at(loop)}
	for i := range n {
		t.Steps = append(t.Steps, Step{
			Actor: "deployment", Action: fmt.Sprintf("scales ReplicaSet shop/api-%d", i),
			Note: "maxSurge 25% of 9 rounds up to 3, maxUnavailable 25% of 9 rounds down to 2, which leaves room for another pod",
			Changes: []Change{
				{Object: "ReplicaSet shop/api", Field: "spec.replicas", From: fmt.Sprint(i), To: fmt.Sprint(i + 1)},
				{Object: "Deployment shop/api", Field: "status.updatedReplicas", From: fmt.Sprint(i), To: fmt.Sprint(i + 1)},
				{Object: "Deployment shop/api", Field: "status.unavailableReplicas", From: fmt.Sprint(i), To: fmt.Sprint(i + 1)},
			},
		})
	}
	return t
}

func TestWriteTables(t *testing.T) {
	hostile := &Trace{
		Initial: []string{"label \x1b[31mred\x1b[0m\nand a second line\u202e"},
		Steps: []Step{{
			Actor: "a\x07ctor", Action: "applies\r\nconfig", Note: "tab\there, bad \xff byte",
			Changes: []Change{{Object: "Pod 名前空間/名", Field: "metadata.annotations[note]", From: strings.Repeat("long ", 12) + "old value", To: "new\x00value"}},
		}},
	}
	single := eviction()
	single.Loop = at(4)
	rest := eviction()
	rest.Loop = at(5)
	empty := &Trace{Initial: []string{"no node is Ready"}, Loop: at(0)}
	cases := []struct {
		file  string
		trace *Trace
		o     Options
	}{
		{"lasso.txt", eviction(), Options{}},
		{"lasso-ascii.txt", eviction(), Options{ASCII: true}},
		{"lasso-color.txt", eviction(), Options{Color: true}},
		{"lasso-narrow.txt", eviction(), Options{Width: 50}},
		{"lasso-one-step.txt", single, Options{}},
		{"rest.txt", rest, Options{}},
		{"empty.txt", empty, Options{}},
		{"hostile.txt", hostile, Options{}},
		{"hostile-ascii.txt", hostile, Options{ASCII: true}},
		{"compact.txt", rollout(3, 1), Options{Lines: 22}},
		{"elided.txt", rollout(120, 60), Options{Lines: 24, Elsewhere: "-o json has all"}},
		{"elided-to-the-least.txt", rollout(120, 60), Options{Lines: 1, Elsewhere: "-o json has all"}},
		{"elided-turn.txt", func() *Trace {
			r := rollout(120, 0)
			r.Loop = nil
			r.Steps[70].Turn, r.Steps[90].Turn = true, true
			return r
		}(), Options{Lines: 24}},
		{"elided-no-loop.txt", func() *Trace { r := rollout(40, 0); r.Loop = nil; return r }(), Options{Lines: 16}},
	}
	for _, c := range cases {
		t.Run(c.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.trace.Write(&b, c.o); err != nil {
				t.Fatal(err)
			}
			golden(t, c.file, b.String())
		})
	}
}

func TestWriteKeepsItsBounds(t *testing.T) {
	for steps := range 40 {
		for _, loop := range []int{0, steps / 2, steps} {
			for _, limit := range []int{8, 13, 24, 40} {
				var b bytes.Buffer
				if err := rollout(steps, loop).Write(&b, Options{Lines: limit, Elsewhere: "-o json has all"}); err != nil {
					t.Fatal(err)
				}
				lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
				if len(lines) > limit {
					t.Errorf("%d steps, loop at %d: %d lines, limit %d", steps, loop, len(lines), limit)
				}
				for _, line := range lines {
					if n := Columns(line); n > 80 {
						t.Errorf("%d columns: %s", n, line)
					}
				}
				last := fmt.Sprintf("api-%d", steps-1)
				if steps > 0 && !strings.Contains(b.String(), last) {
					t.Errorf("%d steps, limit %d: the last step is not shown", steps, limit)
				}
			}
		}
	}
}

func TestWriteASCIIHasNothingElse(t *testing.T) {
	for _, tr := range []*Trace{eviction(), rollout(120, 60), rollout(4, 4), {Initial: []string{"héhé 名 ≥ 3"}}} {
		var b bytes.Buffer
		if err := tr.Write(&b, Options{ASCII: true, Lines: 20}); err != nil {
			t.Fatal(err)
		}
		for _, c := range b.Bytes() {
			if c >= 0x80 || c < ' ' && c != '\n' {
				t.Fatalf("byte %#x in\n%s", c, b.String())
			}
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	if err := (&Trace{Loop: at(1)}).Write(&bytes.Buffer{}, Options{}); err == nil {
		t.Error("a loop outside the trace is printed")
	}
	if err := eviction().Write(brokenPipe{}, Options{}); err == nil {
		t.Error("a failing writer goes unnoticed")
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestCodecKeepsEverything(t *testing.T) {
	for _, tr := range []*Trace{eviction(), rollout(7, 7), {}, {Initial: []string{"a & b <c>"}}} {
		var b bytes.Buffer
		if err := Encode(&b, tr); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "null") || strings.Contains(b.String(), `\u003c`) {
			t.Errorf("null or escaped HTML in %s", b.String())
		}
		back, err := Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, tr.Normal()) {
			t.Errorf("got %+v, want %+v", back, tr.Normal())
		}
	}
}

func TestCodecRefusesBadTraces(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, &Trace{Loop: at(-1)}); err == nil {
		t.Error("a negative loop is encoded")
	}
	for text, want := range map[string]string{
		``:                        "EOF",
		`{}`:                      `schema is ""`,
		`{"schema":"x/v2"}`:       `schema is "x/v2"`,
		`{"steps":3}`:             "cannot unmarshal",
		goodTrace(`"loop":3`):     "loop starts at step index 3 of a trace with 0 steps",
		goodTrace(`"loop":-1`):    "loop starts",
		goodTrace(`"a":1`) + `{}`: "something follows",
	} {
		if _, err := Decode(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
	if _, err := Decode(strings.NewReader(goodTrace(`"added-later":true`) + "\n")); err != nil {
		t.Errorf("an added field is refused: %v", err)
	}
}

func goodTrace(field string) string {
	return fmt.Sprintf(`{"schema":%s,"initial":[],"steps":[],%s}`, must(json.Marshal(Schema)), field)
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestWrapNeverLosesAWord(t *testing.T) {
	text := "a bb  ccc   dddd averyveryverylongwordindeed e 名前 f"
	for width := 1; width < 40; width++ {
		lines := Wrap(text, width)
		if got, want := strings.Join(strings.Fields(strings.Join(lines, " ")), " "), strings.Join(strings.Fields(text), " "); got != want {
			t.Fatalf("width %d: %q, want %q", width, got, want)
		}
		for _, line := range lines {
			if Columns(line) > width && strings.Contains(line, " ") {
				t.Errorf("width %d: %q could be broken", width, line)
			}
		}
	}
	if got := Wrap("a  b c", 4); !reflect.DeepEqual(got, []string{"a  b", "c"}) {
		t.Errorf("spaces within a line are not kept: %q", got)
	}
	if got := Wrap("", 10); len(got) != 1 {
		t.Errorf("Wrap of nothing: %q", got)
	}
}

// TestWriteKeepsTheNumbersOfACutSentence: what became what is at the end of a
// sentence, where a table with little room would cut it.
func TestWriteKeepsTheNumbersOfACutSentence(t *testing.T) {
	steps := make([]Step, 8)
	for i := range steps {
		steps[i] = Step{Actor: "hpa", Action: "HorizontalPodAutoscaler shop/frontend scales Deployment shop/frontend from 3 to 16"}
	}
	steps[7].Action = "somebody applies the manifest of Deployment shop/frontend: replicas 3 to 16, another pod template"
	steps[6].Action = "HorizontalPodAutoscaler shop/frontend looks at its metrics and finds nothing to do about any of them"
	var b bytes.Buffer
	if err := (&Trace{Steps: steps}).Write(&b, Options{Lines: 8}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  1  hpa    HorizontalPodAutoscaler shop/frontend scales … from 3 to 16\n",
		"  7  hpa    HorizontalPodAutoscaler shop/frontend looks at its metrics and …\n",
		"  8  hpa    somebody applies the … replicas 3 to 16, another pod template\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no line %q in\n%s", want, b.String())
		}
	}
}

// TestWriteCutsLongWords: of a word that is longer than its line as much is shown as fits.
func TestWriteCutsLongWords(t *testing.T) {
	steps := make([]Step, 8)
	for i := range steps {
		steps[i] = Step{Actor: "site default/shop", Action: `dns: {"Register":"shop.example.com","Site":"shop","Release":"","Wide":"世界世界世界"}`}
	}
	for _, ascii := range []bool{false, true} {
		var b bytes.Buffer
		if err := (&Trace{Steps: steps}).Write(&b, Options{Lines: 8, ASCII: ascii}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), `site default/shop  dns: {"Register":"shop.example.com","Site":"shop"`) {
			t.Errorf("it does not say what is asked:\n%s", b.String())
		}
		for line := range strings.Lines(b.String()) {
			if Columns(strings.TrimRight(line, "\n")) > 80 {
				t.Errorf("%d columns: %s", Columns(line), line)
			}
		}
	}
}

// TestPartsOfValues: what comes and goes of a value has a sign, and a variable has no object.
func TestPartsOfValues(t *testing.T) {
	var b strings.Builder
	steps := []Step{{Actor: "Send", Action: "at a.tla:3", Changes: []Change{
		{Field: "messages", To: "[to |-> p]", Part: true}, {Field: "queue[1]", From: "<<>>", Part: true}, {Field: "pc.p", From: `"a"`, To: `"b"`}, {Field: "x", To: "1"},
	}}}
	if err := (&Trace{Steps: steps}).Write(&b, Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `  1  Send   at a.tla:3
              messages: + [to |-> p]
              queue[1]: - <<>>
              pc.p: "a" → "b"
              x: – → 1
`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	// Where there is less room, the changes of a step share lines.
	for range 3 {
		steps = append(steps, Step{Actor: "Wait", Action: "at a.tla:5", Changes: []Change{{Field: "p[1].at", From: "1", To: "2"}, {Field: "p[1].has", To: "x", Part: true}, {Field: "q", From: "0", To: "1"}}})
	}
	b.Reset()
	if err := (&Trace{Steps: steps[1:]}).Write(&b, Options{Lines: 8}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), "p[1].at: 1 → 2; .has: + x; q: 0 → 1\n"); got != 3 {
		t.Errorf("%d steps with their changes in one line:\n%s", got, b.String())
	}
}
