package settle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/temporary"
)

// Options say what is run.
type Options struct {
	// Directory is where the go command runs; empty for the working directory.
	Directory string
	// Packages are patterns as those of go test.
	Packages []string
	// Run is a regular expression of the tests; empty for all that call settle.
	Run string
	// Tags are build tags, apart by commas.
	Tags string
	// MaxStates and Workers are instead of what the tests say, if they are not 0.
	MaxStates, Workers int
	// Until is when searches end, the zero time for never.
	Until time.Time
	// Fresh: no trace that was kept is followed, and none is kept.
	Fresh bool
	// Environment is that of the go command, as NAME=value.
	Environment []string
	// Go is the go command; empty for the one in PATH.
	Go string
	// Progress, if set, is called when Tick comes, from one goroutine.
	Progress func(Progress)
	Tick     <-chan time.Time
}

func (o Options) goCommand() string { return cmp.Or(o.Go, "go") }

func (o Options) tags() []string {
	if o.Tags == "" {
		return nil
	}
	return []string{"-tags=" + o.Tags}
}

// Progress is how far a run is.
type Progress struct {
	// Packages and Tests are how many are known; no test is as long as they are built. Done are those
	// that are over.
	Packages, Tests, Done int
	// Test is one that goes on, and States how many states it has.
	Test   string
	States int
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output, FailedBuild string
}

// Run finds the tests and runs them. What was found before ctx ended is in the outcome.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	directory, err := filepath.Abs(o.Directory)
	if err == nil {
		directory, err = filepath.EvalSymlinks(directory) // a module replaces others by where it is
	}
	if err != nil {
		return nil, err
	}
	o.Directory = directory
	found, err := find(ctx, o)
	if err != nil {
		return nil, err
	}
	folder, remove, err := temporary.Folder("seatrial-settle-")
	if err != nil {
		return nil, err
	}
	defer remove()
	set, err := json.Marshal(setting{folder, o.MaxStates, o.Workers, o.Until, o.Fresh})
	if err != nil {
		return nil, err
	}
	args := append([]string{o.goCommand(), "test", "-json", "-count=1", "-vet=off", "-timeout=0", "-run=" + pattern(o, found)}, o.tags()...)
	for _, p := range found {
		args = append(args, p.path)
	}
	r := &record{output: map[string]*strings.Builder{}, failed: map[string]bool{}}
	running, err := process.Start(ctx, process.Options{
		Command: args, Directory: o.Directory, Environment: append(slices.Clone(o.Environment), settingVariable+"="+string(set)), Output: r,
	})
	if err != nil {
		return nil, fmt.Errorf("go test: %w", err)
	}
	o.watch(running, folder, len(found))
	exit := running.Exit()
	messages, err := read(folder)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Tests: messages, packages: found, Interrupted: ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded)}
	if ctx.Err() == nil {
		return out, r.trouble(out, exit)
	}
	return out, nil
}

// settingVariable tells tests what to do: a setting. settle of the library reads it.
const settingVariable = "SEATRIAL_SETTLE"

// setting is what tests are told; see the library.
type setting struct {
	Folder    string    `json:"folder"`
	MaxStates int       `json:"maxStates,omitempty"`
	Workers   int       `json:"workers,omitempty"`
	Until     time.Time `json:"until,omitzero"`
	Fresh     bool      `json:"fresh,omitempty"`
}

// watch tells how far a run is until it is over.
func (o Options) watch(running *process.Process, folder string, packages int) {
	for {
		p := Progress{Packages: packages}
		if messages, err := read(folder); err == nil {
			for _, m := range messages {
				p.Tests++
				switch {
				case m.over():
					p.Done++
				case m.States >= p.States:
					p.Test, p.States = m.Test, m.States
				}
			}
		}
		if o.Progress != nil {
			o.Progress(p)
		}
		select {
		case <-running.Done():
			return
		case <-o.Tick:
		}
	}
}

// record is what go test says: lines of JSON, and others.
type record struct {
	mu    sync.Mutex
	rest  []byte
	loose strings.Builder
	// output is by package and test, and failed are those that fail.
	output map[string]*strings.Builder
	failed map[string]bool
	builds strings.Builder
}

// Write takes what the go command prints.
func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest = append(r.rest, b...)
	for {
		line, rest, whole := bytes.Cut(r.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		r.line(line)
		r.rest = bytes.Clone(rest)
	}
}

// outputMax bounds what is remembered of a test's output, in bytes.
const outputMax = 64 << 10

func (r *record) line(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		if r.loose.Len() < outputMax {
			r.loose.Write(append(line, '\n'))
		}
		return
	}
	name := e.Package + " " + e.Test
	switch e.Action {
	case "build-output":
		if r.builds.Len() < outputMax {
			r.builds.WriteString(e.Output)
		}
	case "output":
		if r.output[name] == nil {
			r.output[name] = &strings.Builder{}
		}
		if out := r.output[name]; out.Len() < outputMax {
			out.WriteString(e.Output)
		}
	case "fail":
		r.failed[name] = true
	}
}
