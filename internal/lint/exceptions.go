package lint

// exception lets one place break one rule. The list is short on purpose, and
// an exception that is no longer needed fails the test.
type exception struct {
	// place is as the problem names it, without the line number.
	place string
	rule  string
	// reason says why this is right here.
	reason string
}

// exceptionsMax keeps the list from growing unnoticed.
const exceptionsMax = 12

var exceptions = []exception{
	{"statespace/explore.go:time.Now", "no clock and no global randomness", "Progress.Elapsed only, which is shown and never decides anything"},
	{"apiproxy/gate.go:time.AfterFunc", "no clock and no global randomness", "ends a wait that would be for itself; no result has it"},
	{"apiproxy/stream.go:time.AfterFunc", "no clock and no global randomness", "lets a frame through that nobody looks at; the record says so"},
	{"settle/rerun.go", "no skipped tests and no sleeping", "moves the clock of the bubbles in which reconciles are run"},
	{"settle/rerun_test.go", "no skipped tests and no sleeping", "has reconcilers that sleep, which are run in bubbles"},
	{"cmd/seatrial/internal/upstream/hpa/plant_test.go", "no skipped tests and no sleeping", "moves the clock of the synctest bubbles of its package's tests"},
}
