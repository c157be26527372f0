package oracle_test

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestAskedFor: a time and a count that come from the custom resource are compared, in whatever form they are written;
// one of the operator's own is not, also if it has the same few digits by chance.
func TestAskedFor(t *testing.T) {
	const (
		old, now     = "2030-01-02T03:04:05Z", "2031-02-03T04:05:06Z"
		oldIn, nowIn = "1893553445", "1927857906"
	)
	for _, c := range []struct {
		name, property, before, after string
		field, found, expected        string
		want                          string
	}{
		{"a time that stays", "start", old, now, "data: {start: %q}", old, now, `data.start of configmaps default/a is "2030-01-02T03:04:05Z", and "2031-02-03T04:05:06Z" where the resource was never another`},
		{"a time in another form", "start", old, now, "data: {start: %q}", oldIn, nowIn, `data.start of configmaps default/a is "1893553445", and "1927857906" where the resource was never another`},
		{"a time that was only set at creation", "start", "", now, "data: {start: %q}", "", now, `data.start of configmaps default/a is not there, and "2031-02-03T04:05:06Z" where the resource was never another`},
		{"a time that only a change sets", "start", "", now, "data: {start: %q}", now, "", ""},
		{"a time of the operator's own", "start", old, now, "data: {start: %q}", "2026-01-01T00:00:00Z", "2026-01-01T00:00:07Z", ""},
		{"a count that stays", "revision", "2", "3", "data: {appRevision: %q}", "2", "3", `data.appRevision of configmaps default/a is "2", and "3" where the resource was never another`},
		{"a count of the operator's own", "size", "2", "1", "data: {revision: %q}", "2", "1", ""},
		{"a large number that stays", "tag", "20017", "20018", "data: {revision: %q}", "20017", "20018", `data.revision of configmaps default/a is "20017", and "20018" where the resource was never another`},
	} {
		t.Run(c.name, func(t *testing.T) {
			resource := func(v string) string {
				if v == "" {
					return "{kind: Thing, metadata: {name: a}, spec: {}}\n"
				}
				return fmt.Sprintf("{kind: Thing, metadata: {name: a}, spec: {%s: %q}}\n", c.property, v)
			}
			object := func(v string) string {
				if v == "" {
					return "{kind: ConfigMap, metadata: {name: a}, data: {}}"
				}
				return "{kind: ConfigMap, metadata: {name: a}, " + fmt.Sprintf(c.field, v) + "}"
			}
			k := twins(t, property("spec."+c.property), resource(c.before)+object(c.found), resource(c.after)+object(c.found), resource(c.after)+object(c.expected), "")
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			hold(t, "twin", k, want)
			k.Steps[0].Resource = history.Object{"spec": k.Steps[1].Resource.At("spec")}
			hold(t, "twin", k, nil) // it was never another: nobody has asked for a change
		})
	}
}
