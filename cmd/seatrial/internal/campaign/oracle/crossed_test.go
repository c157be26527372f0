package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// TestCrossed: what an item of a list says stays where it is when something is changed that all have in common.
func TestCrossed(t *testing.T) {
	of := func(size, one, two string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {size: " + size + ", groups: [{name: one, text: lorem}, {name: two, text: ipsum}]}}\n" +
			"{kind: ConfigMap, metadata: {name: one}, data: {args: --text=" + one + "}}\n{kind: ConfigMap, metadata: {name: two}, data: {args: --text=" + two + "}}\n"
	}
	o := &operation.Operation{Property: "spec.size", Case: "one more", Changes: []operation.Change{{Path: []any{"spec", "size"}, Value: int64(2)}}}
	for _, c := range []struct {
		name      string
		end, twin string
		want      []string
	}{
		{name: "each has its own", end: of("2", "lorem", "ipsum")},
		{
			name: "the first has what the second has", end: of("2", "ipsum", "ipsum"), twin: of("2", "ipsum", "ipsum"),
			want: []string{`"ipsum" of spec.groups[1].text is where "lorem" of spec.groups[0].text was, and still should be: data.args of configmaps one`},
		},
		{
			name: "what was is kept in a revision", end: of("2", "ipsum", "ipsum") + "{kind: ControllerRevision, metadata: {name: one-1}, data: {args: --text=lorem}}\n",
			want: []string{`"ipsum" of spec.groups[1].text is where "lorem" of spec.groups[0].text was, and still should be: data.args of configmaps one`},
		},
		{name: "only on this way, which is the twin's to say", end: of("2", "ipsum", "ipsum"), twin: of("2", "lorem", "ipsum")},
		{name: "what was there is gone", end: of("2", "none", "ipsum"), twin: of("2", "none", "ipsum")},
		{name: "it is somewhere else", end: of("2", "ipsum", "lorem"), twin: of("2", "ipsum", "lorem")},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := done(t, o, of("1", "lorem", "ipsum"), c.end)
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", c.twin)
			}
			k.Properties = schema.ByPath([]*schema.Property{container("spec.groups", "[]")})
			hold(t, "consistency", k, c.want)
		})
	}
}
