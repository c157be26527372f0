package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// TestWriteSimulationShowsEveryStep: a run is there to be read, however long.
func TestWriteSimulationShowsEveryStep(t *testing.T) {
	s := &finding.Simulation{
		Tool: "seatrial check", Version: "v1", Kubernetes: "v1.36.3", Command: "seatrial check --simulate --seed=9 .", Seed: 9,
		Text: "2 nodes, 1 × drain", End: "not at rest after 300 steps", Assumptions: []string{"the weather is fine"},
		Trace: &trace.Trace{Initial: []string{"2 nodes\x1b[31m"}},
	}
	for range 300 {
		s.Trace.Steps = append(s.Trace.Steps, trace.Step{Actor: "kubelet", Action: "starts a pod"})
	}
	var b bytes.Buffer
	if err := WriteSimulation(&b, s, Options{}); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	for _, want := range []string{
		"SIMULATED  300 steps from seed 9: not at rest after 300 steps\none random walk of 2 nodes, 1 × drain; no rule is judged\n\n",
		"\n  300  kubelet  starts a pod\n\nassumes   the weather is fine\n",
		"\nrepeat    seatrial check --simulate --seed=9 .\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Count(got, "kubelet") != 300 || strings.Contains(got, "\x1b") {
		t.Error(got)
	}
	b.Reset()
	if err := WriteSimulation(&b, s, Options{ASCII: true, Color: true}); err != nil || !strings.HasPrefix(b.String(), "\x1b[1mSIMULATED\x1b[0m") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	if err := WriteSimulation(&b, &finding.Simulation{End: "no start was found"}, Options{}); err != nil || !strings.HasPrefix(b.String(), "SIMULATED  0 steps from seed 0: no start was found\n") {
		t.Errorf("%v\n%s", err, b.String())
	}
	loop := 400
	s.Trace.Loop = &loop
	if err := WriteSimulation(&b, s, Options{}); err == nil {
		t.Error("a loop outside the trace is printed")
	}
	if err := WriteSimulation(closed{}, &finding.Simulation{}, Options{}); err == nil {
		t.Error("a failing writer goes unnoticed")
	}
}
