package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/history"
)

const nilMap = "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/op/main.go:3 +0x1\nexit status 2\n"

// once gives a text the first time that an operation sets spec.text to a value.
func once(value, text string) func(map[string]any) string {
	left := 1
	return func(spec map[string]any) string {
		if spec["text"] == value && left > 0 {
			left--
			return text
		}
		return ""
	}
}

// A crash that one look is enough for is a finding though it does not come again, whether that is waited for or not.
func TestCertain(t *testing.T) {
	for _, findings := range []int{0, 1} {
		one := made(&fake{operator: follows, prints: once("x", nilMap)}, "spec.text=x", "spec.size=3")
		one.o.Findings = findings
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := one.out.Report("x", nil)
		if r.Verdict != finding.Violated || len(one.out.Gone) > 0 || !strings.HasSuffix(r.Results[0].Message, "(seen once, and not when that was repeated)") {
			t.Errorf("with %d findings: %s, %d are gone: %s", findings, r.Verdict, len(one.out.Gone), r.Results[0].Message)
		}
	}
}

// What a repetition gives no verdict on did not fail to come again: it is not confirmed. Where the next look gives one,
// that counts.
func TestDoubt(t *testing.T) {
	for hangs, want := range map[int]finding.Verdict{0: finding.Violated, 1: finding.Violated, 2: finding.Inconclusive} {
		lab := &fake{operator: forgets}
		one := made(lab, "spec.text=sentinel-1 spec.text-")
		one.o.Done = func(*Result) { // from now on it is repeated
			left, run := hangs, lab.runs
			lab.before = func(now int) error {
				if now > run && left > 0 {
					left--
					return &OperatorError{errors.New("it is not ready within 30s")}
				}
				return nil
			}
		}
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := one.out.Report("x", nil)
		if r.Verdict != want || len(one.out.Gone) > 0 {
			t.Errorf("without verdict %d times: %s, %d are gone", hangs, r.Verdict, len(one.out.Gone))
		}
		if why := r.Results[0].Reason; (want == finding.Inconclusive) != strings.Contains(why, "it is not ready within 30s") {
			t.Errorf("without verdict %d times: %q", hangs, why)
		}
	}
}

// Where the shortest way to a root was chance, another property that shows it is tried, and named, also if it is seen
// only behind that.
func TestWays(t *testing.T) {
	for _, findings := range []int{0, 1} {
		chance := 1
		one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
			if spec["text"] == "chance" && chance > 0 {
				chance--
				return merged(follows(spec, old), map[string]any{"other": "1"})
			}
			if old.At("data", "other") != nil && spec["other"] == nil {
				return forgets(spec, old)
			}
			return follows(spec, old)
		}}, "spec.text=chance", "spec.other=sentinel-1 spec.other-")
		one.o.Findings = findings
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := told(one.out); !slices.Equal(got, []string{"twin spec.other: spec.other=sentinel-1 spec.other-"}) || len(one.out.Gone) > 0 {
			t.Errorf("with %d findings: found %q, %d are gone", findings, got, len(one.out.Gone))
		}
		causes := one.out.Report("x", nil).Results[0].Causes
		if findings == 0 && (len(causes) == 0 || causes[0].Message != "2 operations show it, of spec.text, spec.other") {
			t.Errorf("it says %v", causes)
		}
	}
}

// What comes again at once is made small before the other ways to what does not are tried: there may be no time for
// those.
func TestFirstWays(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	seen := map[string]int{}
	lab := &fake{operator: func(spec map[string]any, old history.Object) map[string]any {
		for _, name := range []string{"text", "other"} {
			if spec[name] == "chance" {
				if seen[name]++; seen[name] == 1 {
					return map[string]any{"drawn": "1"}
				}
			}
		}
		return follows(spec, old)
	}, also: func(spec map[string]any, old history.Object) map[string]any {
		if old.At("data", "also") != nil {
			return forgets(spec, old)
		}
		return follows(spec, old)
	}}
	one := made(lab, "spec.text=chance", "spec.other=chance", "spec.also=sentinel-1 spec.also-")
	lab.job = func(j job) error {
		if j.Patient && len(j.Operations) > 0 && j.Operations[0].Name == "spec.other=chance" {
			cancel() // the second way to what was chance: the time is over
		}
		return nil
	}
	if err := one.run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	confirmed := ""
	for _, f := range one.out.Findings {
		if f.Confirmed() && f.Small {
			confirmed += f.Property()
		}
	}
	if confirmed != "spec.also" || len(one.out.Gone) > 0 {
		t.Errorf("confirmed %q, %d are gone: %q", confirmed, len(one.out.Gone), told(one.out))
	}
}

// What came before may do something else by chance when it is repeated: what it was seen behind mostly does not need
// it.
func TestLess(t *testing.T) {
	repeated := false
	one := made(&fake{operator: func(spec map[string]any, old history.Object) map[string]any {
		if repeated && old.At("data", "other") != nil {
			return follows(spec, old)
		}
		return forgets(spec, old)
	}}, "spec.other=a spec.other- spec.other=b spec.text=x spec.text-")
	one.o.Done = func(*Result) { repeated = true }
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := told(one.out); !slices.Contains(got, "twin spec.text: spec.text=x spec.text-") {
		t.Errorf("found %q, and %d are gone", got, len(one.out.Gone))
	}
}

// What is wrong by then already does not hide what is seen again, though it is the same field of an object before it.
func TestBehindAnother(t *testing.T) {
	keeps := func(property string) func(map[string]any, history.Object) map[string]any {
		return func(spec map[string]any, old history.Object) map[string]any {
			data, _ := old.At("data").(map[string]any)
			if v := spec[property]; v != nil {
				return map[string]any{"kept": v}
			}
			return merged(data, nil)
		}
	}
	one := made(&fake{operator: keeps("text"), also: keeps("other")}, "spec.text=sentinel-2 spec.text- spec.other=sentinel-1 spec.other-")
	if err := one.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"twin spec.text: spec.text=sentinel-2 spec.text-", "twin spec.other: spec.other=sentinel-1 spec.other-"}
	if got := told(one.out); !slices.Equal(got, want) || len(one.out.Gone) > 0 {
		t.Errorf("found %q, and %d are gone", got, len(one.out.Gone))
	}
}

// What is about no field is known by what is said of it: a second crash is another one.
func TestSo(t *testing.T) {
	of := func(by, place, path string) oracle.Deviation {
		return oracle.Deviation{Oracle: by, Object: webKey, Path: path, Place: place}
	}
	for _, c := range []struct {
		name   string
		before oracle.Deviation
		now    oracle.Deviation
		want   bool
	}{
		{"another crash", of("crash", "panic f", ""), of("crash", "panic g", ""), false},
		{"the same crash", of("crash", "panic f", ""), of("crash", "panic f", ""), true},
		{"another of the user's oracles", of("custom", "a", ""), of("custom", "b", ""), false},
		{"missing behind what was not ready", of("health", "not ready", ""), of("twin", "missing", ""), false},
		{"missing behind a repair", of("recovery", "missing", ""), of("twin", "missing", ""), true},
		{"another sentinel in a field", of("twin", "spec.a[*]", "spec.a[x]"), of("twin", "spec.a[x]", "spec.a[x]"), true},
		{"another field", of("twin", "spec.a", "spec.a"), of("twin", "spec.b", "spec.b"), false},
	} {
		if got := so(c.before, c.now); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}

// mute is a user's judge that gives no verdict on a text.
type mute struct{}

func (mute) Name() string { return "mute" }

func (mute) Judge(c *oracle.Case) ([]oracle.Deviation, error) {
	if c.Last().End[mapKey].Text("data", "text") == "mute" {
		return nil, errors.New("jq: not found")
	}
	return nil, nil
}

// An oracle of the user's that gives no verdict is no pass.
func TestNoVerdict(t *testing.T) {
	for sequence, want := range map[string]finding.Verdict{"spec.text=mute": finding.Inconclusive, "spec.text=else": finding.Holds} {
		one := made(&fake{operator: follows}, sequence)
		one.customs = []oracle.Custom{mute{}}
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := one.out.Report("x", nil); r.Verdict != want || (want == finding.Inconclusive) != strings.HasPrefix(r.Reason, "mute gives no verdict: jq: not found") {
			t.Errorf("%s: %s: %s", sequence, r.Verdict, r.Reason)
		}
	}
}

// now and then forgets what it should take away, as these say for each time that it is to.
func nowAndThen(wrong ...bool) func(map[string]any, history.Object) map[string]any {
	return func(spec map[string]any, old history.Object) map[string]any {
		if old.At("data", "text") == nil || spec["text"] != nil {
			return follows(spec, old)
		}
		if len(wrong) > 0 {
			now := wrong[0]
			if wrong = wrong[1:]; now {
				return forgets(spec, old)
			}
		}
		return follows(spec, old)
	}
}

// What comes again half of the time is no accident; what came once more is not confirmed; and what never did is gone.
func TestWavers(t *testing.T) {
	const yes, no = true, false
	for _, c := range []struct {
		name  string
		wrong []bool // when it is seen, when that is repeated, and then when that is as small as it gets
		want  finding.Verdict
		says  string
		gone  int
	}{
		{"each time", []bool{yes, yes, yes, yes}, finding.Violated, "(in 2 of 2 runs)", 0},
		{"not once", []bool{yes, yes, yes, no, yes, yes}, finding.Violated, "(in 3 of 4 runs)", 0},
		{"half of the time", []bool{yes, yes, no, yes, no, yes}, finding.Violated, "(in 2 of 4 runs)", 0},
		{"once", []bool{yes, yes, no, yes, no, no}, finding.Inconclusive, "(seen once, not confirmed)", 0},
		{"never", []bool{yes, yes, no, no}, finding.Holds, "", 1},
	} {
		one := made(&fake{operator: nowAndThen(c.wrong...)}, "spec.text=sentinel-1 spec.text-")
		if err := one.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := one.out.Report("x", nil)
		if r.Verdict != c.want || len(one.out.Gone) != c.gone || !strings.HasSuffix(r.Results[0].Message, c.says) {
			t.Errorf("%s: %s, %d are gone: %s", c.name, r.Verdict, len(one.out.Gone), r.Results[0].Message)
		}
		if c.want == finding.Inconclusive && !strings.Contains(r.Reason, "it came again in 1 of 4 runs") {
			t.Errorf("%s: %q", c.name, r.Reason)
		}
	}
}
