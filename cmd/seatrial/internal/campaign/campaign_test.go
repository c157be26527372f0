package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

// What an operator does not follow is found, once for each root, by as few operations as show it; what it
// follows, and what is refused, is not.
func TestCampaign(t *testing.T) {
	for _, test := range []struct {
		name      string
		operator  func(map[string]any, history.Object) map[string]any
		sequences []string
		want      []string
		skipped   int
		// more are other values of the property that nothing came of.
		more string
	}{
		{"follows", follows, []string{"spec.text=sentinel-1 spec.text- spec.size=2", "spec.text=no spec.size=3"}, nil, 0, ""},
		{"what is taken back stays", forgets, []string{"spec.size=2 spec.text=sentinel-1 spec.size=3 spec.text-"}, []string{"twin spec.text: spec.text=sentinel-1 spec.text-"}, 0, ""},
		{"one root of two sequences", forgets, []string{"spec.text=sentinel-1 spec.text-", "spec.text=sentinel-2 spec.text-"}, []string{"twin spec.text: spec.text=sentinel-1 spec.text-"}, 0, ""},
		{"nothing comes of it", deaf, []string{"spec.text=sentinel-1 spec.text=sentinel-2"}, []string{"dead-property spec.text: spec.text=sentinel-1 spec.text=sentinel-2"}, 0, ""},
		{"nothing comes of one value, and then of another", deaf, []string{"spec.text=sentinel-1"}, []string{"dead-property spec.text: spec.text=sentinel-1 spec.text=sentinel-2"}, 0, "spec.text=sentinel-2"},
		{"nothing comes of one value, and something of another", hears("sentinel-2"), []string{"spec.text=sentinel-1"}, nil, 0, "spec.text=sentinel-2"},
		{"what is refused has no effect, and needs none", deaf, []string{"spec.text=no spec.text=no"}, nil, 0, ""},
		{"what cannot be done is passed over, once", follows, []string{"spec.size=2 spec.list.2=x", "spec.list.2=x"}, nil, 0, ""},
		{"what hangs is taken back, and the rest is tried", follows, []string{"spec.text=hang spec.size=4"}, []string{"health spec.text: spec.text=hang"}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := made(&fake{operator: test.operator}, test.sequences...)
			one.more = func([]string) ([]*operation.Sequence, error) { return planned(test.more), nil }
			if err := one.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := told(one.out); !reflect.DeepEqual(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
			if one.out.Skipped != test.skipped || len(one.out.Gone) > 0 {
				t.Errorf("%d were not tried, %d are uncertain", one.out.Skipped, len(one.out.Gone))
			}
		})
	}
}

// What is wrong only where the resource is made so, and never where it is changed to that, is found, made smaller, and
// has a reproduction that says so.
func TestWrongWhenMade(t *testing.T) {
	for text, want := range map[string]string{"cries": "crash", "stillborn": "hot-loop"} {
		one := made(&fake{operator: follows}, "spec.size=2 spec.text="+text+" spec.size=3", "spec.text="+text)
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := told(one.out), []string{want + " spec.text: spec.text=" + text}; !reflect.DeepEqual(got, want) {
			t.Errorf("found %q, want %q, gone %d", got, want, len(one.out.Gone))
			continue
		}
		f := one.out.Findings[0]
		if !f.Made || f.Failed != 2 || len(f.run.Steps) != 1 || f.run.Steps[0].Resource.Text("spec", "text") != text {
			t.Errorf("%s: %+v", text, f)
		}
		r := f.Reproduction(one.o.Input, "v1")
		if r.Behind != reproduction.Creation {
			t.Errorf("%s: behind is %q", text, r.Behind)
		}
		again := &Reproduced{Outcome: &Outcome{}, r: r}
		if err := again.try(t.Context(), one); err != nil || len(again.Outcome.Findings) != 1 {
			t.Errorf("%s: it is not reproduced: %v, %s", text, err, again.Doubt)
		}
		one.lab = &fake{operator: follows, mended: true}
		again = &Reproduced{Outcome: &Outcome{}, r: r}
		if err := again.try(t.Context(), one); err != nil || len(again.Outcome.Findings) != 0 || again.Doubt != "" {
			t.Errorf("%s: it is reproduced where it is mended: %v, %s", text, err, again.Doubt)
		}
	}
}

// What ends the operator is named after what it takes for that, and not after what else an operation changes.
func TestCrashOfAnother(t *testing.T) {
	one := made(&fake{operator: follows})
	both := do("spec.size=2")
	text := do("spec.text=panic")
	both.Name, both.With, both.Changes = both.Name+"; "+text.Name, []string{text.Property}, append(both.Changes, text.Changes...)
	one.out.Plan.Sequences = []*operation.Sequence{{Operations: []*operation.Operation{both}}}
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(one.out.Findings) != 1 || one.out.Findings[0].Property() != "spec.text" || len(one.out.Findings[0].Operations[0].Changes) != 1 {
		t.Errorf("found %q", told(one.out))
	}
}

// noText is a user's judge that is not asked behind misoperations.
type noText struct{}

func (noText) Name() string { return "no-text" }

func (noText) Judge(c *oracle.Case) ([]oracle.Deviation, error) {
	if o := c.Last().Operation; o != nil && o.Misoperation || c.Last().End[mapKey].Text("data", "text") == "" {
		return nil, nil
	}
	return []oracle.Deviation{{Object: mapKey, Path: "data.text", Found: "there", Text: "there is a text"}}, nil
}

// What is not asked behind a misoperation, and comes of it, needs no repair to be shown; what is about the repair does.
func TestMeant(t *testing.T) {
	one := made(&fake{operator: forgets}, "spec.text=wrong spec.text-!")
	one.out.Plan.Sequences[0].Operations[0].Misoperation = true
	one.customs = []oracle.Custom{noText{}}
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"recovery spec.text: spec.text=wrong spec.text-!", "custom spec.text: spec.text=wrong"}
	if got := told(one.out); !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// asked counts how often a user's judge is asked about an operation.
type asked map[string]int

func (asked) Name() string { return "asked" }

func (a asked) Judge(c *oracle.Case) ([]oracle.Deviation, error) {
	if o := c.Last().Operation; o != nil {
		a[o.Name]++
	}
	return nil, nil
}

// What the user gives is asked once about each operation, however often what there is has to be compared.
func TestAskedOnce(t *testing.T) {
	one, asked := made(&fake{operator: forgets}), asked{}
	one.customs = []oracle.Custom{asked}
	if _, err := one.sequence(t.Context(), 0, planned("spec.size=2 spec.text=sentinel-1 spec.text-")[0]); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]int{"spec.size=2": 1, "spec.text=sentinel-1": 1, "spec.text-": 1}, map[string]int(asked)); d != "" {
		t.Error(d)
	}
}

// A campaign that is interrupted, at whichever run, and goes on with what was noted, ends with what one
// finds that was not interrupted.
func TestResume(t *testing.T) {
	sequences := []string{"spec.size=2", "spec.text=sentinel-1 spec.text-", "spec.text=hang! spec.size=5 spec.other=sentinel-3", "spec.other=sentinel-4 spec.other-"}
	for _, operator := range []func(map[string]any, history.Object) map[string]any{forgets, deaf} {
		whole := &fake{operator: operator}
		want := made(whole, sequences...)
		if err := want.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for at := 4; at <= whole.runs; at++ {
			ctx, cancel := context.WithCancel(t.Context())
			first := made(&fake{operator: operator, before: func(run int) error {
				if run == at {
					cancel()
				}
				return nil
			}}, sequences...)
			known := map[string]*Result{}
			first.o.Done = func(r *Result) {
				text, err := json.Marshal(r)
				if err != nil {
					t.Fatal(err)
				}
				back := &Result{}
				if err := json.Unmarshal(text, back); err != nil {
					t.Fatal(err)
				}
				if again, err := json.Marshal(back); err != nil || string(again) != string(text) {
					t.Fatalf("%v: %s is read as %s", err, text, again)
				}
				known[r.ID] = back
			}
			err := first.run(ctx)
			cancel()
			if err != nil || !first.out.Interrupted {
				t.Fatalf("interrupted at run %d: %v", at, err)
			}
			second := made(&fake{operator: operator}, sequences...)
			second.o.Known = known
			if err := second.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got, want := told(second.out), told(want.out); !reflect.DeepEqual(got, want) {
				t.Errorf("interrupted at run %d, it found %q, want %q", at, got, want)
			}
			if len(second.out.Results) != len(want.out.Results) || second.out.Skipped != 0 {
				t.Errorf("interrupted at run %d, it has %d results and left out %d, want %d and none", at, len(second.out.Results), second.out.Skipped, len(want.out.Results))
			}
		}
	}
}

// What does not come again is counted, and not made smaller.
func TestAccident(t *testing.T) {
	forgot := false
	lab := &fake{operator: func(spec map[string]any, old history.Object) map[string]any {
		if old.At("data", "text") != nil && spec["text"] == nil && !forgot {
			forgot = true
			return forgets(spec, old)
		}
		return follows(spec, old)
	}}
	one := made(lab, "spec.size=2 spec.text=sentinel-1 spec.size=3 spec.text-")
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); !forgot || len(got) > 0 || len(one.out.Gone) != 1 {
		t.Errorf("found %q, %d are uncertain", got, len(one.out.Gone))
	}
	if lab.runs > 12 {
		t.Errorf("%d runs", lab.runs)
	}
}

// TestRestartAlone: what a start behind the seed shows, too, is about no property, though it was seen behind an
// operation.
func TestRestartAlone(t *testing.T) {
	lab := &fake{operator: follows, restarts: func(run int) string {
		if run == 1 {
			return "" // it was not seen when the seed was learned
		}
		return fmt.Sprint(run)
	}}
	one := made(lab, "spec.size=2 spec.text=sentinel-1")
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := told(one.out), []string{"restart :"}; !reflect.DeepEqual(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestRepaired: a repair is named after what went wrong, also where that was made smaller to another property.
func TestRepaired(t *testing.T) {
	f := &Finding{Deviations: []oracle.Deviation{{Oracle: "recovery"}}, Operations: []*operation.Operation{
		{Property: "spec.tls"}, {Property: "spec.tls.secret", Repairs: true},
	}}
	if got := f.Property(); got != "spec.tls" {
		t.Errorf("it is about %s", got)
	}
}

// When the time is over, no more sequences are begun, and what was not tried is counted.
func TestDeadline(t *testing.T) {
	one := made(&fake{operator: forgets}, "spec.text=sentinel-1 spec.text-", "spec.size=2 spec.size=3 spec.size=4")
	now := time.Unix(0, 0)
	one.o.Now = func() time.Time { return now }
	one.begun, one.o.Until = now, now.Add(time.Second)
	one.o.Done = func(*Result) { now = now.Add(2 * time.Second) }
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); one.out.Skipped != 3 || len(got) != 1 {
		t.Errorf("%d were not tried, and it found %q", one.out.Skipped, got)
	}
}

// What there was no time to make smaller says so, since the property that it is about may be another.
func TestUnreduced(t *testing.T) {
	unreduced := 0
	for at := 4; ; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		one := made(&fake{operator: forgets, before: func(run int) error {
			if run == at {
				cancel()
			}
			return nil
		}}, "spec.size=2 spec.text=sentinel-1 spec.size=3 spec.text-")
		err := one.run(ctx)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range one.out.Findings {
			said := slices.ContainsFunc(one.out.result(f, "").Causes, func(c finding.Cause) bool { return strings.Contains(c.Message, "no time to make it smaller") })
			if said != one.out.Interrupted {
				t.Errorf("interrupted at run %d: %v, and it says %v", at, one.out.Interrupted, said)
			}
			if said {
				unreduced++
			}
			two := slices.ContainsFunc(f.Operations, func(o *operation.Operation) bool { return o.Property != f.Operations[0].Property })
			if another := slices.ContainsFunc(one.out.result(f, "").Causes, func(c finding.Cause) bool { return strings.Contains(c.Message, "another property") }); another != (said && two) {
				t.Errorf("interrupted at run %d, with two properties: %v, and it names another one: %v", at, two, another)
			}
		}
		if !one.out.Interrupted {
			break
		}
	}
	if unreduced == 0 {
		t.Error("nothing was interrupted before it was made smaller")
	}
}

// A finding is looked for as it was found: it is so, or it is not, or it cannot be told.
func TestReproduce(t *testing.T) {
	found := made(&fake{operator: forgets}, "spec.text=sentinel-1 spec.text-")
	if err := found.run(t.Context()); err != nil || len(found.out.Findings) != 1 {
		t.Fatal(err, told(found.out))
	}
	r := found.out.Findings[0].Reproduction(found.o.Input, "v1")
	for _, test := range []struct {
		name     string
		operator func(map[string]any, history.Object) map[string]any
		before   func(int) error
		code     int
	}{
		{"the same operator", forgets, nil, 1},
		{"a mended one", follows, nil, 0},
		{"one that cannot be started", follows, func(int) error { return &OperatorError{errors.New("no such flag")} }, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := made(&fake{operator: test.operator, before: test.before})
			out := &Reproduced{Outcome: one.out, r: r}
			if err := out.try(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			if report := out.Report("x"); int(report.Code()) != test.code {
				t.Errorf("code %d, want %d: %s", report.Code(), test.code, report.Reason)
			}
		})
	}
}
