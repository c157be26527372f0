package oracle_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestSameWords: what an operator does not do for the reason for which it has not done something else before needs no
// new words.
func TestSameWords(t *testing.T) {
	thing := func(size, class, said string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {size: " + size + ", class: " + class + "}, status: {message: '" + said + "'}}\n"
	}
	set := func(size, class, image string) string {
		return "{kind: StatefulSet, metadata: {name: a}, spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {size: " + size + ", class: " + class + "}}], template: {spec: {schedulerName: " + image + "}}}}\n"
	}
	const said = "volumeClaimTemplates are immutable, the change is ignored"
	warning := func(count string) string {
		return "{kind: Event, metadata: {name: e1}, type: Warning, reason: Kept, count: " + count + ", message: '" + said + "', involvedObject: {name: a}}\n"
	}
	change := func(path string, v any) *operation.Operation {
		return &operation.Operation{Property: "spec." + path, Changes: []operation.Change{{Path: []any{"spec", path}, Value: v}}}
	}
	back := &operation.Operation{Property: "spec.size", Changes: []operation.Change{{Path: []any{"spec", "size"}, Value: "1Gi"}}}
	for _, c := range []struct {
		name       string
		operations []*operation.Operation
		states     []string
		twin       string
		event      string
		want       []string
	}{
		{
			name: "the second, in the words of the first", operations: []*operation.Operation{change("size", "2Gi"), change("class", "fast")},
			states: []string{thing("1Gi", "slow", "") + set("1Gi", "slow", "a"), thing("2Gi", "slow", said) + set("1Gi", "slow", "a"), thing("2Gi", "fast", said) + set("1Gi", "slow", "a")},
			twin:   thing("2Gi", "fast", "") + set("2Gi", "fast", "a"),
			want:   []string{"status.message of"},
		},
		{
			name: "the second is elsewhere", operations: []*operation.Operation{change("size", "2Gi"), change("class", "fast")},
			states: []string{thing("1Gi", "slow", "") + set("1Gi", "slow", "a"), thing("2Gi", "slow", said) + set("1Gi", "slow", "a"), thing("2Gi", "fast", said) + set("1Gi", "slow", "a")},
			twin:   thing("2Gi", "fast", "") + set("2Gi", "slow", "fast"),
			want:   []string{"spec.template.spec.schedulerName of", "status.message of"},
		},
		{
			name: "nothing of the first is missing", operations: []*operation.Operation{change("size", "2Gi"), change("class", "fast")},
			states: []string{thing("1Gi", "slow", "") + set("1Gi", "slow", "a"), thing("2Gi", "slow", said) + set("2Gi", "slow", "a"), thing("2Gi", "fast", said) + set("2Gi", "slow", "a")},
			twin:   thing("2Gi", "fast", "") + set("2Gi", "fast", "a"),
			want:   []string{"spec.volumeClaimTemplates[0].spec.class of", "status.message of"},
		},
		{
			name: "the first was taken back, and the event comes again", operations: []*operation.Operation{change("size", "2Gi"), back, change("class", "fast")},
			states: []string{
				thing("1Gi", "slow", "") + set("1Gi", "slow", "a"), thing("2Gi", "slow", "") + set("1Gi", "slow", "a") + warning("1"),
				thing("1Gi", "slow", "") + set("1Gi", "slow", "a") + warning("1"), thing("1Gi", "fast", "") + set("1Gi", "slow", "a") + warning("2"),
			},
			twin: thing("1Gi", "fast", "") + set("1Gi", "fast", "a"), event: warning("2"),
		},
		{
			name: "the first was taken back, and the event does not come again", operations: []*operation.Operation{change("size", "2Gi"), back, change("class", "fast")},
			states: []string{
				thing("1Gi", "slow", "") + set("1Gi", "slow", "a"), thing("2Gi", "slow", "") + set("1Gi", "slow", "a") + warning("1"),
				thing("1Gi", "slow", "") + set("1Gi", "slow", "a") + warning("1"), thing("1Gi", "fast", "") + set("1Gi", "slow", "a") + warning("1"),
			},
			twin: thing("1Gi", "fast", "") + set("1Gi", "fast", "a"),
			want: []string{"spec.volumeClaimTemplates[0].spec.class of"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &oracle.Case{Steps: []*oracle.Step{quiet(t, nil, "", c.states[0])}, Mask: history.DefaultMask(), Key: key, Twin: quiet(t, nil, "", c.twin), Twice: quiet(t, nil, "", c.twin)}
			for i, o := range c.operations {
				s := quiet(t, o, c.states[i], c.states[i+1])
				s.Before = s.Start[key]
				k.Steps = append(k.Steps, s)
			}
			if c.event != "" {
				k.Last().Events = []history.Event{write(t, warning("1"), c.event)}
			}
			got := twinSays(k)
			if len(got) != len(c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
			for i, want := range c.want {
				if !strings.HasPrefix(got[i], want) {
					t.Errorf("got %q, want %q", got[i], want)
				}
			}
		})
	}
}

func twinSays(k *oracle.Case) []string { return said("twin", k) }
