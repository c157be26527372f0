// Package stored reads results that were kept: by the run store, or in a file that
// -o json wrote.
package stored

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/replay"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/runstore"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/report"
	reportjson "github.com/seatrial/seatrial/report/json"
)

// bytesMax bounds what is read of a file.
const bytesMax = 1 << 28

// Result is a result and where it comes from.
type Result struct {
	Document output.Document
	// Run is the zero value for a file.
	Run runstore.Run
	// Name is the run's id or the file's name.
	Name string
}

// Open reads what name says: a run of the store, by its id, the beginning of it or
// "latest", or else a file, or - for standard input. Its errors are one line.
func Open(c *console.Console, store runstore.Store, name string) (Result, error) {
	run, err := store.Open(name)
	if err == nil {
		data, err := store.Result(run.ID)
		if err != nil {
			return Result{}, err
		}
		d, err := decode(data)
		if err != nil {
			return Result{}, fmt.Errorf("run %s cannot be read: %w", run.ID, err)
		}
		for _, f := range run.Facts {
			d.Facts = append(d.Facts, report.Fact{Name: f.Name, Value: f.Value})
		}
		return Result{d, run, run.ID}, nil
	}
	if !errors.Is(err, runstore.ErrNoRun) {
		return Result{}, err
	}
	data, err := read(c, name)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{}, fmt.Errorf("%s: there is no such run in %s, and no such file; 'seatrial runs' lists the runs", name, store.Folder)
	}
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	d, err := decode(data)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", name, err)
	}
	return Result{Document: d, Name: name}, nil
}

func read(c *console.Console, name string) ([]byte, error) {
	in := io.Reader(c.Streams.In)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, cause(err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, bytesMax+1))
	if err == nil && len(data) > bytesMax {
		err = fmt.Errorf("it has more than %d MiB: it is no report", bytesMax>>20)
	}
	return data, cause(err)
}

func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// decode reads the result of any command: its schema tells which.
func decode(data []byte) (output.Document, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return output.Document{}, fmt.Errorf("this is no report: %w", err)
	}
	switch head.Schema {
	case finding.Schema:
		r, err := reportjson.Read(bytes.NewReader(data))
		return output.Document{Report: r}, err
	case finding.SimulationSchema:
		s, err := reportjson.ReadSimulation(bytes.NewReader(data))
		return output.Document{Simulation: s}, err
	case replay.Schema:
		return replay.Read(data)
	}
	return output.Document{}, fmt.Errorf("the schema is %q, want %s, %s or %s", head.Schema, finding.Schema, finding.SimulationSchema, replay.Schema)
}
