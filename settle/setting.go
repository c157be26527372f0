package settle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	reportjson "github.com/seatrial/seatrial/report/json"
	"github.com/seatrial/seatrial/statespace"
)

// settingVariable is the variable of the environment by which `seatrial settle` tells tests what
// to do: a setting as JSON. It also decides where go test looks in its cache.
const settingVariable = "SEATRIAL_SETTLE"

// setting is what the command wants of every Check.
type setting struct {
	// Folder is where each Check leaves a file for the command.
	Folder string `json:"folder"`
	// MaxStates and Workers are instead of those of the Config, if they are not 0.
	MaxStates int `json:"maxStates,omitempty"`
	Workers   int `json:"workers,omitempty"`
	// Until is when searches end; the zero time is never.
	Until time.Time `json:"until,omitzero"`
	// Fresh: no trace is followed or kept.
	Fresh bool `json:"fresh,omitempty"`
}

// message is one file that a Check leaves for the command.
type message struct {
	// Test is the name of the test, Directory that of its package.
	Test      string `json:"test"`
	Directory string `json:"directory"`
	// Error says why nothing could be searched.
	Error string `json:"error,omitempty"`
	// States is how many there are so far, of a search that goes on.
	States int `json:"states,omitempty"`
	// Seconds is how long it took.
	Seconds float64 `json:"seconds,omitempty"`
	// Report is of one that is over.
	Report json.RawMessage `json:"report,omitempty"`
}

// settings are those of the environment.
func settings() (s setting, err error) {
	text := os.Getenv(settingVariable)
	if text == "" {
		return s, nil
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return s, fmt.Errorf("settle: %s in the environment is for `seatrial settle`: %w", settingVariable, err)
	}
	return s, nil
}

// apply changes a configuration.
func (s setting) apply(c *Config) {
	if s.MaxStates > 0 {
		c.MaxStates = s.MaxStates
	}
	if s.Workers > 0 {
		c.Workers = s.Workers
	}
	if s.Fresh {
		c.Traces = NoTraces
	}
}

// until is a context that ends when searches have to.
func (s setting) until(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.Until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadlineCause(ctx, s.Until, errors.New("the time of --timeout is over"))
}

// teller writes one message, again and again. Nothing depends on whether it can.
type teller struct {
	file string
	message
}

// teller is that of one call of Check; nil if nobody listens.
func (s setting) teller(t testing.TB) *teller {
	if s.Folder == "" {
		return nil
	}
	f, err := os.CreateTemp(s.Folder, fileName(t.Name())+"-*.json")
	if err != nil {
		return nil
	}
	_ = f.Close() // it is empty
	directory, _ := os.Getwd()
	out := &teller{f.Name(), message{Test: t.Name(), Directory: directory}}
	out.tell()
	return out
}

// tell puts the message where the command finds it, whole.
func (t *teller) tell() {
	if t == nil {
		return
	}
	text, err := json.Marshal(t.message)
	if err == nil && os.WriteFile(t.file+".new", text, 0o600) == nil {
		_ = os.Rename(t.file+".new", t.file)
	}
}

func (t *teller) progress(p statespace.Progress) {
	if t != nil {
		t.States = p.States
		t.tell()
	}
}

func (t *teller) failed(err error) {
	if t != nil {
		t.Error = err.Error()
		t.tell()
	}
}

func (t *teller) done(r *Result) {
	if t == nil {
		return
	}
	var b bytes.Buffer
	if err := reportjson.Write(&b, r.Report(t.Test)); err != nil {
		t.failed(err)
		return
	}
	t.Report, t.States, t.Seconds = b.Bytes(), 0, r.Took.Round(time.Millisecond).Seconds()
	t.tell()
}
