package value

import (
	"strings"
	"testing"
)

// TestBuiltIn reads the tables that are part of the program.
func TestBuiltIn(t *testing.T) {
	t.Parallel()
	if n := len(BuiltIn().entries); n < 60 {
		t.Fatalf("%d entries were read", n)
	}
}

// TestWith puts the entries of a user before those that there are.
func TestWith(t *testing.T) {
	t.Parallel()
	own, err := BuiltIn().With("own.yaml", []byte(`[{kinds: ["*.Container.image"], cases: [{name: ours, value: registry.example/ours:1}]}]`))
	if err != nil {
		t.Fatal(err)
	}
	at := &Place{Property: property(t, "type: string", "io.k8s.api.core.v1.Container.image"), Tables: own}
	if cases := Cases(at); len(cases) != 1 || cases[0].Name != "ours" {
		t.Errorf("%v", cases)
	}
	at.Tables = BuiltIn()
	if cases := Cases(at); len(cases) < 2 {
		t.Errorf("those that there are have changed: %v", cases)
	}
}

// TestSamples: what a table gives for a part of an object is as the schema of the part wants it, though that of
// Kubernetes wants less.
func TestSamples(t *testing.T) {
	t.Parallel()
	s := (&Place{Tables: BuiltIn(), Draw: Draw{Property: 1, Operation: 2}}).sampler()
	schedule := property(t, "{type: string, minLength: 9}", "io.k8s.api.batch.v1.CronJobSpec.schedule")
	for number := range 4 {
		if v, ok := s.of(schedule, number); !ok || len(v.(string)) < 9 {
			t.Errorf("the sample %d is %v", number, v)
		}
	}
}

// TestTableErrors says what is wrong in a table.
func TestTableErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[{cases: [{name: a, value: 1}]}]`:                                  "own.yaml: entry 1: kinds is empty",
		`[{kinds: [A], cases: [{value: 1}]}]`:                               "own.yaml: entry 1: A: a case has no name",
		`[{kinds: [A], cases: [{name: a, value: 1, add: 2}]}]`:              `A: case "a": want one of value, add, merge, append, remove and respelt`,
		`[{kinds: [A], cases: [{name: a}]}]`:                                `A: case "a": want one of`,
		`[{kinds: [A], cases: [{name: a, value: 1}, {name: a, value: 2}]}]`: `two cases are called "a"`,
		`[{kinds: [A], cases: [{name: a, value: 1, declared: true}]}]`:      `A: case "a": declared says of a misoperation when it is one`,
		`[{kinds: [A], cases: [{name: a, worth: 1}]}]`:                      `unknown field`,
	} {
		if _, err := BuiltIn().With("own.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
