package run

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
)

// Values are what a process is to come to.
type Values struct {
	// Inject are values at the loader, as [record] says.
	Inject map[parameter.ID]string
	// Deployed are those of the old version, in the same form, where a test may have a copy of that.
	Deployed map[parameter.ID]string
	// Whole are parameters that are as they are here also where the test sets them itself.
	Whole []parameter.ID
	// Environment are variables that are set, and Unset those that are not.
	Environment map[string]string
	Unset       []string
	// Module is where a copy of the module's files is, in which other files stand; empty for the module itself.
	Module string
	// Limit is how long the test may take, if that is less than all tests may; else 0.
	Limit time.Duration
	// Alone: as with go test, no other test of the package runs meanwhile, unless both may run beside others. Tests may
	// come to the same port, or the same place: in the folder of the package there is one for the data of all.
	Alone bool
}

// injected are the values at the loader, and the variables: a test may have a map in the place of the environment.
func (v Values) injected() map[parameter.ID]string {
	all := maps.Clone(v.Inject)
	if all == nil {
		all = map[parameter.ID]string{}
	}
	for name, value := range v.Environment {
		all[parameter.New(parameter.Env, name)] = value
	}
	return all
}

// Ending is how a test ended.
type Ending string

// The endings.
const (
	Passed   Ending = "passed"
	Failed   Ending = "failed"   // the test says so
	Panicked Ending = "panicked" // there is a panic, or the runtime's end
	Exited   Ending = "exited"   // the process ended itself, before the test said anything
	TimedOut Ending = "timed out"
	Skipped  Ending = "skipped" // or the process ended without it, and complains of nothing
	Stopped  Ending = "stopped" // we did, before it was over
)

// Fails is for endings that are failures of a test.
func (e Ending) Fails() bool {
	return e == Failed || e == Panicked || e == Exited || e == TimedOut
}

// Outcome is what became of one test in one process.
type Outcome struct {
	Ending Ending
	// Output is what it printed; what is in the middle of a long one is left out.
	Output string
	// Events are what the instrumentation recorded.
	Events []record.Event
	// Variables are the names that were asked of the environment, and Files what was opened, as absolute paths.
	Variables, Files []string
	Took             time.Duration
	// Starts: a process that it has started did something, too.
	Starts bool

	vain  Ending        // how it is taken to end, if it waited in vain
	limit time.Duration // that its process was given
}

// asked adds what somebody asked the system for.
func (o *Outcome) asked(e record.Event) {
	switch e.Verb {
	case record.Getenv:
		o.Variables = append(o.Variables, string(e.Subject))
	case record.Open:
		o.Files = append(o.Files, absolute(e.At, string(e.Subject)))
	}
}

func (o *Outcome) sort() {
	slices.Sort(o.Variables)
	slices.Sort(o.Files)
	o.Variables, o.Files = slices.Compact(o.Variables), slices.Compact(o.Files)
}

// Runner runs tests.
type Runner struct {
	Module *Module
	// Folder is for what the processes write. It is empty again after each.
	Folder string
	// Timeout is for one test.
	Timeout time.Duration
	// Memory is how many bytes of memory of its own a process may have, beside files that it maps, and File is how long
	// a file may be that it writes; 0 for any number. A value that nobody has tried may ask for all there is.
	Memory, File int
	// Processes is how many it may have at once with all that it starts, and Resident how many bytes they may have in
	// memory together; 0 for any number.
	Processes, Resident int
	// Keepers are functions of the module that keep what they make for whoever comes later: of tests in one process,
	// only the first of those that need it is seen to read what it is made of.
	Keepers []string
	// Late, if set, is told what goroutines of tests that share a process read when their test is over, by the test,
	// and Broken that such a process crashed, and no test in it: both belong to what a goroutine does that nobody waits
	// for.
	Late   func(p Program, reads map[string][]parameter.ID)
	Broken func(p Program)
	// Asked, if set, is told what each process asked the system for, but for what is its own.
	Asked func(Program, Asked)

	once sync.Once
	base []string

	mu     sync.Mutex
	places map[string]*sync.RWMutex // by the path of the package
}

// Grace is how long after its time a test that does not end by itself is killed: it is to print where its goroutines
// are.
const Grace = 5 * time.Second

// Test runs one test of a program.
func (r *Runner) Test(ctx context.Context, p Program, test string, v Values) (*Outcome, error) {
	defer r.room(p, v.Alone && !slices.Contains(p.Parallel, test))()
	folder, err := os.MkdirTemp(r.Folder, "test-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	limit := r.Timeout
	if v.Limit > 0 {
		limit = min(limit, v.Limit)
	}
	out, exit, err := r.process(ctx, p, folder, v, limit, nil, "-test.run=^"+regexp.QuoteMeta(test)+"$", "-test.v=true")
	if err != nil {
		return nil, err
	}
	if out.Ending = ending(ctx, exit, out, test); out.vain != "" && ctx.Err() == nil {
		out.Ending = out.vain
	}
	out.Events = slices.DeleteFunc(out.Events, func(e record.Event) bool {
		out.asked(e) // the log of these begins with the first test, behind what TestMain has loaded
		return slices.Contains([]record.Verb{record.Begin, record.End, record.Getenv, record.Open}, e.Verb)
	})
	out.sort()
	for i := range out.Events {
		out.Events[i].Process, out.Events[i].Label, out.Events[i].Keeper = "", "", ""
	}
	return out, nil
}

// room waits until no process of a package runs that is to be alone, and for one that is to be that, until no other one
// runs. It gives what lets others run.
func (r *Runner) room(p Program, alone bool) (done func()) {
	r.mu.Lock()
	if r.places == nil {
		r.places = map[string]*sync.RWMutex{}
	}
	place := r.places[p.Path]
	if place == nil {
		place = &sync.RWMutex{}
		r.places[p.Path] = place
	}
	r.mu.Unlock()
	if !alone {
		place.RLock()
		return place.RUnlock
	}
	place.Lock()
	return place.Unlock
}

// process runs a program, and reads what it recorded in a folder. What it prints goes to a writer, too, unless that is
// nil.
func (r *Runner) process(ctx context.Context, p Program, folder string, v Values, limit time.Duration, to io.Writer, args ...string) (*Outcome, process.Exit, error) {
	if err := record.WriteInject(folder, v.injected(), v.Deployed, v.Whole); err != nil {
		return nil, process.Exit{}, err
	}
	directory := p.Directory
	if v.Module != "" {
		below, err := filepath.Rel(r.Module.Directory, p.Directory)
		if err != nil {
			return nil, process.Exit{}, err
		}
		directory = filepath.Join(v.Module, below)
	}
	log := filepath.Join(folder, "testlog")
	limited, cancel := context.WithTimeout(ctx, limit+Grace)
	defer cancel()
	began := time.Now()
	running, err := process.Start(limited, process.Options{
		Command: r.bounded(slices.Concat([]string{
			p.File, "-test.paniconexit0", "-test.count=1", "-test.timeout=" + limit.String(), "-test.testlogfile=" + log,
		}, args)),
		Directory: directory, Environment: r.environment(folder, directory, v), Processes: r.Processes, Memory: r.Resident, Output: to,
	})
	if err != nil {
		return nil, process.Exit{}, err
	}
	var why vain
	if len(v.Inject) > 0 {
		why = (&awaiting{folder: folder, own: strconv.Itoa(running.Pid())}).end(running)
	}
	exit := running.Exit()
	out := &Outcome{Output: printed(running.Output()), Took: time.Since(began), vain: why.ending, limit: limit}
	switch {
	case exit.Beyond != "":
		out.Output += "\nfatal error: " + exit.String() + "\n"
	case out.vain != "":
		out.Output += "\n" + why.says + "\n"
	}
	if out.Events, err = r.recorded(folder); err != nil {
		return nil, exit, err
	}
	own := strconv.Itoa(running.Pid())
	out.Starts = slices.ContainsFunc(out.Events, func(e record.Event) bool { return e.Process != own })
	out.Variables, out.Files = readTestLog(log, directory)
	out.sort()
	r.tellAsked(p, out, folder)
	return out, exit, nil
}

// tellAsked tells what a process asked for, whose folder goes.
func (r *Runner) tellAsked(p Program, o *Outcome, folder string) {
	if r.Asked == nil {
		return
	}
	all := Outcome{Variables: slices.Clone(o.Variables), Files: slices.Clone(o.Files)}
	for _, e := range o.Events {
		all.asked(e)
	}
	all.sort()
	r.Asked(p, r.Module.asked(&all, folder))
}

// recorded is what a process wrote into a folder.
func (r *Runner) recorded(folder string) ([]record.Event, error) {
	out, err := record.ReadLog(folder)
	for i := range out {
		if out[i].Verb != record.Open { // that has a folder
			out[i].At = r.place(out[i].At)
		}
	}
	return withoutHanded(out), err
}

// withoutHanded leaves out that something was read where it is only handed on.
func withoutHanded(events []record.Event) []record.Event {
	type place struct {
		subject parameter.ID
		at      string
	}
	handed := map[place]bool{}
	for _, e := range events {
		if e.Verb == record.Hand && e.At != "" {
			handed[place{e.Subject, e.At}] = true
		}
	}
	return slices.DeleteFunc(events, func(e record.Event) bool { return e.Verb == record.Read && handed[place{e.Subject, e.At}] })
}

// bounded is a command with the bounds, where the system has them.
func (r *Runner) bounded(command []string) []string {
	var bounds string
	if r.Memory > 0 {
		bounds += fmt.Sprintf("ulimit -d %d 2>/dev/null; ", r.Memory>>10)
	}
	if r.File > 0 {
		bounds += fmt.Sprintf("ulimit -f %d 2>/dev/null; ", r.File>>9)
	}
	if bounds == "" {
		return command
	}
	return append([]string{"/bin/sh", "-c", bounds + `exec "$0" "$@"`}, command...)
}

// place is a place in the source from the root of the module, if it is in it.
func (r *Runner) place(at string) string {
	for _, root := range []string{r.Module.Directory, r.Module.Path} { // the second with -trimpath
		if below, is := strings.CutPrefix(at, root+"/"); is {
			return below
		}
	}
	return at
}

// printed is an output. Of one that is shortened the lines at the ends are whole: half of a secret is not known for
// one.
func printed(o process.Output) string {
	if left := o.LeftOut(); left > 0 {
		first := o.First[:bytes.LastIndexByte(o.First, '\n')+1]
		last := o.Last[bytes.IndexByte(o.Last, '\n')+1:]
		return fmt.Sprintf("%s… %d bytes are left out …\n%s", first, o.Bytes-int64(len(first)+len(last)), last)
	}
	return string(o.First) + string(o.Last)
}

// environment is that of a process; folder is for what it records.
func (r *Runner) environment(folder, directory string, v Values) []string {
	r.once.Do(func() {
		for _, e := range r.Module.Environment {
			if name, _, _ := strings.Cut(e, "="); name != record.Variable && name != "PWD" {
				r.base = append(r.base, e)
			}
		}
	})
	out := []string{}
	if _, given := v.Environment["TMPDIR"]; !given && !slices.Contains(v.Unset, "TMPDIR") {
		out = append(out, "TMPDIR="+folder) // what a test that is killed leaves goes with it
	}
	for _, e := range r.base {
		name, _, _ := strings.Cut(e, "=")
		if _, given := v.Environment[name]; !given && name != "TMPDIR" && !slices.Contains(v.Unset, name) {
			out = append(out, e)
		}
	}
	for name, value := range v.Environment {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return append(out, record.Variable+"="+folder, "PWD="+directory)
}

// ending says how a test ended, by what it printed and recorded, and the process did.
func ending(ctx context.Context, exit process.Exit, o *Outcome, test string) Ending {
	// What it prints may be in front of that, in one line, or go somewhere else.
	says := func(what string, e Ending) bool {
		return strings.Contains(o.Output, "--- "+what+": "+test+" (") ||
			slices.ContainsFunc(o.Events, func(at record.Event) bool { return at.Verb == record.End && at.Value == string(e) })
	}
	switch {
	case ctx.Err() != nil:
		return Stopped
	case exit.Beyond != "":
		return Panicked
	case exit.Killed, timedOut(o, exit.Code):
		return TimedOut
	case exit.Code == 0 && says("PASS", Passed):
		return Passed
	case exit.Code == 0:
		return Skipped
	case crashed(o.Output), exit.Signal != "":
		return Panicked
	case says("FAIL", Failed):
		return Failed
	case exit.Code == runtimeExit && o.limit > 0 && o.Took >= o.limit:
		return TimedOut // it has printed so much that the runtime's words are not kept
	default:
		return Exited
	}
}

// runtimeExit is the code with which the Go runtime ends a program that panics.
const runtimeExit = 2

// timedOut tells whether the package testing ended a process because of its time. The runtime writes "panic: " and what
// follows one after the other, and a program that prints meanwhile may write in front of them and between them.
func timedOut(o *Outcome, code int) bool {
	const says = "test timed out after "
	return code == runtimeExit && (begins(o.Output, "panic: "+says) || o.limit > 0 && strings.Contains(o.Output, says+o.limit.String()))
}

// begins tells whether a line of an output begins with something.
func begins(output, what string) bool {
	return strings.HasPrefix(output, what) || strings.Contains(output, "\n"+what)
}

// crashed tells whether the runtime ended a program that printed this.
func crashed(output string) bool { return begins(output, "panic: ") || begins(output, "fatal error: ") }

// readTestLog reads what the package testing writes of what a test asked of the system.
func readTestLog(file, directory string) (variables, files []string) {
	read, err := os.ReadFile(file)
	if err != nil {
		return nil, nil // the process ended before it was written
	}
	for line := range bytes.Lines(read) {
		verb, what, _ := strings.Cut(strings.TrimSuffix(string(line), "\n"), " ")
		switch verb {
		case "getenv":
			variables = append(variables, what)
		case "chdir":
			directory = absolute(directory, what)
		case "open":
			files = append(files, absolute(directory, what))
		}
	}
	return variables, files
}

func absolute(directory, file string) string {
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(directory, file)
}
