package finding

import "github.com/seatrial/seatrial/trace"

// SimulationSchema identifies the JSON form of Simulation.
const SimulationSchema = "seatrial.dev/simulation/v1alpha1"

// Simulation is one random behaviour. Nothing in it is judged: it is not a
// Report and has no verdict.
type Simulation struct {
	Schema     string `json:"schema"`
	Tool       string `json:"tool"`
	Version    string `json:"version"`
	Kubernetes string `json:"kubernetes"`
	// Command repeats the run.
	Command string `json:"command"`
	// Seed is what the choices were drawn from.
	Seed uint64 `json:"seed"`
	// Text says what was simulated: "2 nodes, up to 4 wanted pods, 1 × drain".
	Text string `json:"text"`
	// AtRest: in the end no controller has anything left to do and no event is
	// left to happen.
	AtRest bool `json:"atRest"`
	// End says why it ends, in a few words.
	End string `json:"end"`
	// CutShort: a limit, or the user, ended it.
	CutShort    bool       `json:"cutShort,omitempty"`
	Assumptions []string   `json:"assumptions"`
	Omissions   []Omission `json:"omissions"`
	Warnings    []Warning  `json:"warnings"`
	// Interrupted is true when the user ended it.
	Interrupted bool `json:"interrupted,omitempty"`
	// Trace is nil if not even a start was found.
	Trace *trace.Trace `json:"trace,omitempty"`
}

// Code returns the exit code of a simulation: what is shown is no verdict, so
// it is 0 unless the run was cut short.
func (s *Simulation) Code() Code {
	switch {
	case s.Interrupted:
		return CodeInterrupted
	case s.CutShort:
		return CodeInconclusive
	}
	return CodeHolds
}
