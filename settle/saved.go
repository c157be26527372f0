package settle

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/statespace"
	"github.com/seatrial/seatrial/trace"
)

// savedFolder is where failing traces are kept, beside the test.
const savedFolder = "testdata/settle"

// saved is the file of a test's failing trace.
type saved struct{ path string }

// calls counts the calls of Check in each test that runs.
var calls sync.Map

// savedOf is the file of a call of Check; it has no path if none is kept.
func savedOf(t testing.TB, c *Config) saved {
	folder := c.Traces
	switch folder {
	case "":
		folder = savedFolder
	case NoTraces:
		return saved{}
	}
	name := fileName(t.Name())
	counter, again := calls.LoadOrStore(t.Name(), new(int))
	if !again {
		t.Cleanup(func() { calls.Delete(t.Name()) })
	}
	n := counter.(*int) // a test calls from its own goroutine
	if *n++; *n > 1 {
		name += fmt.Sprintf("-%d", *n)
	}
	return saved{filepath.Join(folder, name+".json")}
}

// fileName is the name of a test without what means something in a path.
func fileName(test string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.=", r) {
			return r
		}
		return '_'
	}, test)
}

// read is the trace that is kept, nil if there is none.
func (s saved) read() (*trace.Trace, error) {
	if s.path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := reportjson.Read(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	for _, p := range r.Results {
		if p.Trace != nil {
			return p.Trace, nil
		}
	}
	return nil, errors.New("it has no trace")
}

// write keeps the trace of a result that is violated.
func (s saved) write(r *Result, subject string) error {
	if s.path == "" || r.Verdict != statespace.Violated {
		return nil
	}
	var b bytes.Buffer
	if err := reportjson.Write(&b, r.Report(subject)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	return replace(s.path, b.Bytes())
}

// replace writes a file whole or not at all, whoever reads or writes it at the same time.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = cmp.Or(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // as much as can be
	}
	return err
}
