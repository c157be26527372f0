package oracle_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// TestZero: where a number stood, there is 0 when it is that, and no default.
func TestZero(t *testing.T) {
	const lost = "spec.percent is 0, and configmaps * data.conf has 25 for it, where it had 71 before"
	for _, c := range []struct {
		name, before, end, twin string
		not, removed            bool
		want                    string
	}{
		{name: "a default takes its place", before: "71", end: "25", twin: "25", want: lost},
		{name: "it arrives", before: "71", end: "0", twin: "0"},
		{name: "nothing is said of it", before: "71", end: "", twin: ""},
		{name: "what stays is another matter", before: "71", end: "71", twin: "25"},
		{name: "and so is what the way did", before: "71", end: "25", twin: "0"},
		{name: "the number was somewhere else", before: "25", end: "26", twin: "26"},
		{name: "it may stand for something else", before: "71", end: "25", twin: "25", not: true},
		{name: "nothing is said any more", before: "71", end: "25", twin: "25", removed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := func(n, conf string) string {
				return fmt.Sprintf("{kind: Thing, metadata: {name: a}, spec: {percent: %s}}\n{kind: ConfigMap, metadata: {name: a}, data: {conf: \"port = 80\\npercent = %s\\n\"}}", n, conf)
			}
			o := &operation.Operation{Property: "spec.percent", Zero: !c.not, Changes: []operation.Change{{Path: []any{"spec", "percent"}, Value: int64(0)}}}
			o.Changes[0].Remove = c.removed
			set := map[bool]string{true: "25"}[c.removed]
			k := caseOf(t, o, of("71", c.before), of(cmp.Or(set, "0"), c.end))
			k.Twin = quiet(t, nil, "", of("0", c.twin))
			if got := strings.Join(said("consistency", k), "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestZeroOfName: a small number is followed to a field of the name of the property, and to no other.
func TestZeroOfName(t *testing.T) {
	for _, c := range []struct{ name, field, end, want string }{
		{"a default takes its place", "backoffLimit", "3", "spec.retries.backoffLimit is 0, and jobs.batch * spec.backoffLimit has 3 for it, where it had 2 before"},
		{"it arrives", "backoffLimit", "0", ""},
		{"the number was there by chance", "parallelism", "3", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := func(n, field string) string {
				return fmt.Sprintf("{kind: Thing, metadata: {name: a}, spec: {retries: {backoffLimit: %s}}}\n{kind: Job, metadata: {name: a}, spec: {%s: %s}}", n, c.field, field)
			}
			o := &operation.Operation{Property: "spec.retries.backoffLimit", Zero: true, Changes: []operation.Change{{Path: []any{"spec", "retries", "backoffLimit"}, Value: int64(0)}}}
			k := caseOf(t, o, of("2", "2"), of("0", c.end))
			k.Twin = quiet(t, nil, "", of("0", c.end))
			if got := strings.Join(said("consistency", k), "\n"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
