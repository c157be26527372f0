package custom

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// given are the oracles of a campaign's file, with a program judge.sh beside it.
func given(t *testing.T, oracles, program string) []oracle.Custom {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "judge.sh"), []byte("#!/bin/sh\n"+program), 0o700); err != nil {
		t.Fatal(err)
	}
	in, err := input.Parse(input.Flags{}, "campaign.yaml", "web", folder, []byte(`apiVersion: seatrial.dev/v1alpha1
kind: Campaign
controller: {command: [op]}
seed: {apiVersion: example.com/v1, kind: Web, metadata: {name: web}, spec: {}}
off: [unwanted]
oracles: `+oracles))
	if err != nil {
		t.Fatal(err)
	}
	return Oracles(in, nil)
}

// scaled is a case in which a web of one replica was asked for two, and has one pod.
func scaled(change func(c *oracle.Case)) *oracle.Case {
	web := func(replicas int64) history.Object {
		return history.Object{"kind": "Web", "spec": map[string]any{"replicas": replicas}}
	}
	pod := history.Key{Resource: "pods", Namespace: "default", Name: "web-0"}
	key := history.Key{Resource: "webs.example.com", Namespace: "default", Name: "web"}
	end := history.State{pod: {"kind": "Pod"}, key: web(2)}
	c := &oracle.Case{Key: key, Steps: []*oracle.Step{
		{Resource: web(1), End: history.State{pod: {"kind": "Pod"}, key: web(1)}},
		{
			Operation: &operation.Operation{Name: "one more", Property: "spec.replicas", Case: "one more"}, Before: web(1), Resource: web(2), End: end,
			Events: []history.Event{{Type: history.Update, Key: key, Actor: "controller", Object: web(2), Previous: web(1)}}, Output: "scaled\n",
		},
	}}
	if change != nil {
		change(c)
	}
	return c
}

// said is what oracles say of a case, a line each.
func said(oracles []oracle.Custom, c *oracle.Case) string {
	var all []string
	for _, o := range oracles {
		found, err := o.Judge(c)
		if err != nil {
			all = append(all, o.Name()+": no verdict: "+err.Error())
		}
		for _, d := range found {
			text, _ := json.Marshal([]any{d.Expected, d.Found})
			all = append(all, strings.TrimSpace(o.Name()+": "+d.Text+" ("+d.Object.String()+" "+d.Path+") "+strings.ReplaceAll(string(text), "[null,null]", "")))
		}
	}
	return strings.Join(all, "\n")
}

// TestExpressions: what expressions see, and when they are asked.
func TestExpressions(t *testing.T) {
	misoperation := func(c *oracle.Case) { c.Last().Operation.Misoperation = true }
	for _, c := range []struct {
		name, oracles string
		change        func(c *oracle.Case)
		want          string
	}{
		{"holds", `[{name: a, cel: "cr.spec.replicas == 2 && previous.spec.replicas == 1 && objects['pods'].size() == 1 && objects['secrets'].size() == 0"}]`, nil, ""},
		{"events and operation", `[{name: a, cel: "events.exists(e, e.actor == 'controller' && e.previous.spec.replicas == 1) && operation.property == 'spec.replicas' && !operation.misoperation"}]`, nil, ""},
		{
			"does not hold", `[{name: a, cel: "objects['pods'].size() == cr.spec.replicas"}]`, nil,
			"a: a does not hold: objects['pods'].size() == cr.spec.replicas (webs.example.com default/web )",
		},
		{"off", `[{name: unwanted, cel: "false"}]`, nil, ""},
		{"an error is no verdict", `[{name: a, cel: "cr.spec.none == 1"}]`, nil, "a: no verdict: no such key: none"},
		{"the seed", `[{name: a, cel: "previous == null && operation == null && cr.spec.replicas == 1"}]`, func(c *oracle.Case) { c.Steps = c.Steps[:1] }, ""},
		{"refused", `[{name: a, cel: "false"}]`, func(c *oracle.Case) { c.Last().Refused = "no" }, ""},
		{"a misoperation", `[{name: a, cel: "false"}]`, misoperation, ""},
		{"a misoperation that is asked for", `[{name: a, cel: "false", misoperations: true}]`, misoperation, "a: a does not hold: false (webs.example.com default/web )"},
		{"deleted", `[{name: a, cel: "false"}]`, func(c *oracle.Case) { c.Deleted = &oracle.Step{} }, ""},
		{"restarted", `[{name: a, cel: "objects['pods'].size() > 0"}]`, func(c *oracle.Case) { c.Restart = &oracle.Step{} }, "a: a does not hold: objects['pods'].size() > 0 (webs.example.com default/web )"},
	} {
		if d := cmp.Diff(c.want, said(given(t, c.oracles, ""), scaled(c.change))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestPrograms: what a program may answer, and what is no answer.
func TestPrograms(t *testing.T) {
	for _, c := range []struct{ name, program, want string }{
		{"holds", `echo '{"verdict": "holds"}'`, ""},
		{"violated", `echo '{"verdict": "violated", "message": "too few"}'`, "judge: too few (webs.example.com default/web )"},
		{
			"findings", `echo '{"verdict": "violated", "findings": [{"message": "too few", "object": "pods default/web-0", "path": "spec.x", "expected": 2, "found": 1}]}'`,
			"judge: too few (pods default/web-0 spec.x) [2,1]",
		},
		{"inconclusive", `echo '{"verdict": "inconclusive", "message": "no quorum yet"}'`, "judge: no verdict: no quorum yet"},
		{"fails", `echo 'first' >&2; echo 'no jq here' >&2; exit 3`, "judge: no verdict: exit status 3: no jq here"},
		{"says nothing", ``, "judge: no verdict: its answer is not as docs/campaign.md says: EOF"},
		{"says something else", `echo '{"verdict": "holds", "mesage": ""}'`, `judge: no verdict: its answer is not as docs/campaign.md says: json: unknown field "mesage"`},
		{"says too much", `echo '{"verdict": "holds"} {}'`, "judge: no verdict: there is something behind its answer"},
		{"an unknown verdict", `echo '{"verdict": "fine"}'`, `judge: no verdict: its verdict is "fine", not holds, violated or inconclusive`},
		{"no message", `echo '{"verdict": "violated"}'`, "judge: no verdict: a finding of it has no message"},
		{"does not end", `exec sleep 60`, "judge: no verdict: it has not answered within 300ms"},
		{"no object", `echo '{"verdict": "violated", "findings": [{"message": "m", "object": "pod"}]}'`, `judge: no verdict: "pod" names no object: write RESOURCE NAMESPACE/NAME, such as statefulsets.apps default/web`},
	} {
		limit := "10s"
		if strings.Contains(c.program, "sleep") {
			limit = "300ms"
		}
		oracles := given(t, `[{name: judge, command: [./judge.sh], timeout: `+limit+`}]`, c.program)
		if d := cmp.Diff(c.want, said(oracles, scaled(nil))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// TestNothingIsLeft: what a program has started ends with it, which is when its time or the campaign is over at the
// latest.
func TestNothingIsLeft(t *testing.T) {
	const starts = "trap '' TERM\nexec 3>pipe\nsleep 30 >/dev/null 2>&1 &\n"
	for _, c := range []struct {
		name, program, limit, want string
		over                       bool
	}{
		{"it answers", starts + `echo '{"verdict": "holds"}'`, "10s", "", false},
		{"its time is over", starts + "wait", "300ms", "judge: no verdict: it has not answered within 300ms", false},
		{"the campaign is over", starts + "wait", "20s", "judge: no verdict: interrupted", true},
	} {
		oracles := given(t, `[{name: judge, command: [./judge.sh], timeout: `+c.limit+`}]`, c.program)
		p, ok := oracles[0].(*program)
		if !ok {
			t.Fatalf("%T", oracles[0])
		}
		done := make(chan struct{})
		p.done = done
		path := filepath.Join(p.folder, "pipe")
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		opened := make(chan *os.File, 1)
		go func() {
			pipe, err := os.Open(path) // when the program has opened it, too
			if err != nil {
				t.Error(err)
			}
			opened <- pipe
			if c.over {
				close(done)
			}
		}()
		if d := cmp.Diff(c.want, said(oracles, scaled(nil))); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		pipe := <-opened
		// It ends when nobody has it open any more.
		if err := pipe.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		if _, err := pipe.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("%s: what it has started is still there: %v", c.name, err)
		}
		_ = pipe.Close()
	}
}

// TestQuestion: what a program reads.
func TestQuestion(t *testing.T) {
	oracles := given(t, `[{name: judge, command: [./judge.sh]}]`, `cat >question.json; echo '{"verdict": "holds"}'`)
	if text := said(oracles, scaled(func(c *oracle.Case) { c.Last().Rest.Quiet = true })); text != "" {
		t.Fatal(text)
	}
	p, ok := oracles[0].(*program)
	if !ok {
		t.Fatalf("%T", oracles[0])
	}
	got, err := os.ReadFile(filepath.Join(p.folder, "question.json"))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"schema":"seatrial.dev/oracle/v1alpha1","oracle":"judge","step":1,"behind":"",` +
		`"operation":{"name":"one more","property":"spec.replicas","case":"one more","misoperation":false,"repairs":false},` +
		`"cr":{"kind":"Web","spec":{"replicas":2}},"previous":{"kind":"Web","spec":{"replicas":1}},` +
		`"objects":{"pods":[{"kind":"Pod"}],"webs.example.com":[{"kind":"Web","spec":{"replicas":2}}]},` +
		`"events":[{"type":"update","resource":"webs.example.com","namespace":"default","name":"web","actor":"controller","object":{"kind":"Web","spec":{"replicas":2}},"previous":{"kind":"Web","spec":{"replicas":1}}}],` +
		`"quiet":true,"output":"scaled\n","history":[{"operation":null,"cr":{"kind":"Web","spec":{"replicas":1}}}]}`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

// TestTheManualHasEveryField: who writes a program finds in the manual what it reads and answers.
func TestTheManualHasEveryField(t *testing.T) {
	text, err := os.ReadFile("../../../../../docs/campaign.md")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, of := range []reflect.Type{
		reflect.TypeFor[Question](), reflect.TypeFor[Answer](), reflect.TypeFor[Finding](), reflect.TypeFor[Event](), reflect.TypeFor[Operation](), reflect.TypeFor[Applied](),
	} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			fields++
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s.%s is not in the manual", of.Name(), name)
			}
		}
	}
	if fields < 30 {
		t.Errorf("only %d fields were found", fields)
	}
}
