package configtest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// program is that of the module, started as one more test with each value: it is given files and arguments, as where it
// is deployed, and is instrumented, so that it is seen what it reads of them.
type program struct {
	*session
	file       string
	version    Version
	parameters []choose.Change
	mu         sync.Mutex // it may listen at a port
}

// startOfProgram is what it is called among tests.
var startOfProgram = choose.Test{Name: "the program's start"}

// programOf compiles the program, and makes it one of the tests that read all parameters.
func (s *session) programOf(ctx context.Context, g Generating, parameters []choose.Change) (*program, choose.Test, error) {
	out := &program{session: s, parameters: parameters}
	if g.File != nil {
		out.version = *g.File
	}
	if err := s.instrumented(ctx); err != nil {
		return nil, choose.Test{}, err
	}
	s.say("compiling the program")
	var err error
	out.file, err = s.module.Main(ctx, run.Build{Flags: s.plan.Flags, Environment: s.plan.Environment, Race: s.Race, Folder: s.folder}, s.Start.Command[0])
	test := startOfProgram
	for i := range parameters {
		test.Reads = append(test.Reads, i)
	}
	return out, test, err
}

// beside runs the program where it is meant, and tests as they are run without it.
func (p *program) beside(trial judge.Trial) judge.Trial {
	return func(ctx context.Context, t choose.Test, values choose.Values) (*run.Outcome, error) {
		if t.Name != startOfProgram.Name {
			return trial(ctx, t, values)
		}
		return p.start(ctx, values)
	}
}

// start starts it with some values.
func (p *program) start(ctx context.Context, values choose.Values) (*run.Outcome, error) {
	v := p.version
	var err error
	for i, c := range p.parameters {
		if same(values[i], c.Old) {
			continue
		}
		if v, err = v.with(c, values[i]); err != nil {
			return &run.Outcome{Ending: run.Skipped, Output: err.Error()}, nil //nolint:nilerr // it is not what is asked of the program
		}
	}
	folder, err := os.MkdirTemp(p.folder, "told-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }() // what is left goes with the folder around it
	args, environment, err := p.told(v, folder)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	started, err := p.runner.Start(ctx, p.file, args, environment, p.Start.Within)
	if ctx.Err() != nil {
		return &run.Outcome{Ending: run.Stopped}, nil //nolint:nilerr // we ended it
	}
	if err != nil {
		return nil, err
	}
	return &started.Outcome, nil
}

func same(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// with is a version in which a parameter has another value, or none.
func (v Version) with(c choose.Change, text *string) (Version, error) {
	if c.Kind == change.Key {
		return v.written(c, text)
	}
	at := slices.IndexFunc(v.Settings, func(s change.Setting) bool { return s.Identity == c.Identity })
	v.Settings = slices.Clone(v.Settings)
	if at >= 0 {
		v.Settings = slices.Delete(v.Settings, at, at+1)
	}
	if text != nil {
		one := change.Setting{Identity: c.Identity, Value: change.TextOf(*text)}
		v.Settings = slices.Insert(v.Settings, max(at, 0), one) // flags have no order, and what is none has its own
	}
	return v, nil
}

// written is a version whose file says something else of a key.
func (v Version) written(c choose.Change, text *string) (Version, error) {
	all, object := v.texts()
	name := v.base()
	if object {
		name = c.In[strings.LastIndexByte(c.In, ' ')+1:]
	}
	switch _, file := all[name]; {
	case !file && text == nil:
		delete(all, c.Path)
	case !file: // a key that is a value itself
		all[c.Path] = *text
	case !object && slices.ContainsFunc(v.Settings, func(s change.Setting) bool { return s.In != c.In }):
		return v, errors.New("it is one of several documents, of which none is written")
	default:
		written, err := change.Write(name, v.Settings, c.In, c.Steps(), asJSON(c, text))
		if err != nil {
			return v, err
		}
		all[name] = string(written)
	}
	var err error
	if v.Text = []byte(all[name]); object {
		v.Text, err = json.Marshal(map[string]any{"kind": "ConfigMap", "data": all})
	}
	return v, err
}

// asJSON is a value of a key of a file; nil for none.
func asJSON(c choose.Change, text *string) json.RawMessage {
	if text == nil {
		return nil
	}
	if c.JSON() && json.Valid([]byte(*text)) {
		return json.RawMessage(*text)
	}
	out, err := json.Marshal(*text)
	if err != nil { // no text is refused
		return nil
	}
	return out
}
