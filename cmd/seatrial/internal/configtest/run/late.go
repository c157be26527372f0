package run

import (
	"context"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// A goroutine that outlives its test is at work while others of the package run, as with go test. What it does then is
// no part of any test, and a panic there ends them all.

// Package runs tests of a program in one process with some values, for so long at most, as go test does. Panicked is
// for one in a goroutine whose test is over: By is that test, if it is known.
func (r *Runner) Package(ctx context.Context, p Program, tests []string, v Values, limit time.Duration) (o *Outcome, by string, err error) {
	defer r.room(p, true)()
	folder, err := os.MkdirTemp(r.Folder, "tests-")
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	if v.Environment["GODEBUG"] == "" && os.Getenv("GODEBUG") == "" {
		environment := map[string]string{"GODEBUG": "tracebacklabels=1"} // whose goroutine it is
		for name, value := range v.Environment {
			environment[name] = value
		}
		v.Environment = environment
	}
	o, exit, err := r.process(ctx, p, folder, v, limit, nil, only(tests))
	if err != nil {
		return nil, "", err
	}
	switch {
	case ctx.Err() != nil:
		o.Ending = Stopped
	case exit.Code == 0:
		o.Ending = Passed
	case late(o):
		o.Ending = Panicked
		if found := labelled.FindStringSubmatch(o.Output); found != nil {
			by = found[1]
		}
	default:
		o.Ending = Failed
	}
	return o, by, nil
}

// labelled is the first goroutine of a trace, which is at fault, with what tells whose it is.
var labelled = regexp.MustCompile(`(?m)^goroutine \d+ \[running.* labels:\{"test": "([^"]+)"\}`)

// late tells whether a process crashed, and no test in it that says so.
func late(o *Outcome) bool {
	return crashed(o.Output) && !timedOut(o, runtimeExit) && !slices.ContainsFunc(o.Events, func(e record.Event) bool {
		return e.Verb == record.End && Ending(e.Value) == Panicked
	})
}

// tellLate tells what goroutines of tests that share a process did when their test was over.
func (r *Runner) tellLate(p Program, all *Outcome) {
	if r.Broken != nil && late(all) {
		r.Broken(p)
	}
	if r.Late == nil {
		return
	}
	names, over, reads := map[string]string{}, map[string]bool{}, map[string][]parameter.ID{}
	for _, e := range all.Events {
		switch of := e.Process + " " + e.Label; {
		case e.Verb == record.Begin:
			names[of] = e.Subject.Name()
		case e.Verb == record.End:
			over[of] = true
		case e.Verb == record.Read && over[of]:
			reads[names[of]] = append(reads[names[of]], e.Subject)
		}
	}
	if len(reads) > 0 {
		r.Late(p, reads)
	}
}
