package run

import (
	"strconv"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// A test is looked at so often, and has so many looks in a row at which neither it nor what it has started works, until
// it is said to wait in vain.
const (
	lookEvery = 200 * time.Millisecond
	atRest    = 10
)

// awaiting is whom a test waits for. Many a test starts the program, and asks until it answers: one that has refused a
// value and ended never does, nor one that has crashed, and the test has nothing more to say than that.
type awaiting struct {
	folder string
	own    string // the process of the test itself
	read   int64  // of the log
	// refused are what somebody refused, why and by which process; taken are what somebody took.
	refused []record.Event
	taken   map[parameter.ID]bool
	rested  int
}

// vain is why a test waits in vain: how it is taken to end, and what there is to say; nothing of one that does not.
type vain struct {
	ending Ending
	says   string
}

// end waits until a process is over, or waits in vain: then it ends it, and says why.
func (a *awaiting) end(p *process.Process) (why vain) {
	a.taken = map[parameter.ID]bool{}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.Done():
			return vain{}
		case <-tick.C:
		}
		if why = a.inVain(); why == (vain{}) || p.Busy() {
			a.rested = 0
			continue
		}
		if a.rested++; a.rested >= atRest {
			p.Kill()
			return why
		}
	}
}

// inVain is what is refused by a program that the test has started and that has ended, if nobody took it, or how one
// has crashed.
func (a *awaiting) inVain() vain {
	events, read, err := record.ReadFrom(a.folder, a.read)
	if err != nil {
		return vain{}
	}
	if a.read = read; len(events) > 0 {
		a.rested = 0
	}
	for _, e := range events {
		switch {
		case e.Verb != record.Gave:
		case e.At == "":
			a.taken[e.Subject] = true
		case e.Process != a.own:
			a.refused = append(a.refused, e)
		}
	}
	for _, e := range a.refused {
		if pid, err := strconv.Atoi(e.Process); err == nil && !a.taken[e.Subject] && process.Ended(pid) {
			return vain{Exited, "a program that it has started has ended, and does not take it: " + e.At}
		}
	}
	for _, c := range record.Crashes(a.folder) {
		if process.Ended(c.Process) {
			return vain{Panicked, "a program that it has started has crashed:\n" + c.Says}
		}
	}
	return vain{}
}
