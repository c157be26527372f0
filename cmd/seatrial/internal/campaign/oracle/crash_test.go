package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/recording"
)

const (
	panicked = "panic: no spec\n\ngoroutine 1 [running]:\nmain.reconcile(...)\n\t/app/main.go:4 +0x1d\n"
	observed = `E0102 03:04:05.000000       1 controller.go:1] "Observed a panic" panic="no spec"` + "\ngoroutine 1 [running]:\nmain.reconcile(...)\n\t/app/main.go:4 +0x1d\n"
)

// TestCrash: a process that ends by itself, and panics, are reported behind the operation that they
// came with, and no other.
func TestCrash(t *testing.T) {
	ended := recording.Life{Name: "controller-1", Exited: true, Code: 2, Text: panicked}
	cases := []struct {
		name          string
		before, after oracle.Step
		want          []string
	}{
		{name: "a killed process", after: oracle.Step{Lives: []recording.Life{{Name: "controller-1", Signal: "killed", Text: "starting"}}}},
		{name: "a panic", after: oracle.Step{Lives: []recording.Life{ended}}, want: []string{"the operator's process has a go panic: no spec, at main.reconcile (/app/main.go:4)"}},
		{name: "a panic behind the operation before", before: oracle.Step{Lives: []recording.Life{ended}}, after: oracle.Step{Lives: []recording.Life{ended}}},
		{name: "a panic that was recovered", after: oracle.Step{Output: observed}, want: []string{"the operator's process has a go panic: no spec, at main.reconcile (/app/main.go:4)"}},
		{
			name:   "one that was recovered, and said again by the process at its end",
			before: oracle.Step{Output: observed}, after: oracle.Step{Lives: []recording.Life{{Name: "controller-1", Text: observed}}},
		},
		{name: "it exits", after: oracle.Step{Lives: []recording.Life{{Exited: true, Code: 1}}}, want: []string{"the operator's process ends by itself, with code 1"}},
		{name: "it says why", after: oracle.Step{Lives: []recording.Life{{Exited: true, Code: 1, Text: "starting\n2026-01-01T10:00:00Z cannot bind 127.0.0.1:4711\n"}}}, want: []string{"the operator's process ends by itself, with code 1; it said last: <time> cannot bind 127.0.0.1:<port>"}},
		{name: "it may exit then", after: oracle.Step{Lives: []recording.Life{{Exited: true, Code: 1, Expected: true}}}},
		{
			name: "one that is only counted", after: oracle.Step{Rest: oracle.Rest{Panicked: []string{"web"}}},
			want: []string{"a reconcile of the operator's controller web panicked, as its metrics say, and was recovered"},
		},
		{
			name: "one that is counted, and said", after: oracle.Step{Output: observed, Rest: oracle.Rest{Panicked: []string{"web"}}},
			want: []string{"the operator's process has a go panic: no spec, at main.reconcile (/app/main.go:4)"},
		},
		{name: "errors are no panics", after: oracle.Step{Output: "ERROR Reconciler error: the object has been modified"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			hold(t, "crash", &oracle.Case{Steps: []*oracle.Step{&c.before, &c.after}, Key: key}, c.want)
		})
	}
}

// TestTwinThatEnded: a twin whose operator has crashed, and does not come to rest, says nothing of what is expected;
// one that goes on does.
func TestTwinThatEnded(t *testing.T) {
	k := caseOf(t, property("spec.size"), thing, thing+"{kind: ConfigMap, metadata: {name: a}}")
	const stays = "configmaps default/a is there, and is not where the resource was never another"
	k.Twin = quiet(t, nil, "", thing)
	k.Twin.Wrong = []oracle.Deviation{{Oracle: "crash"}}
	hold(t, "twin", k, []string{stays})
	k.Twin.Rest.Quiet = false
	hold(t, "twin", k, nil)
	k.Twin.Wrong = nil
	hold(t, "twin", k, []string{stays})
}
