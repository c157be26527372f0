// Package runstore keeps runs in a folder of the working directory, so that they
// can be listed, compared and shown again: .seatrial/runs/<id>/ with run.json,
// result.json.gz and log.
//
// A run is written under a hidden name and renamed, so that it is there whole or
// not at all, and runs that end at once do not meet. Nothing of the environment is
// kept: no variables, no user, no host, no working directory.
package runstore

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Schema identifies the JSON form of Run.
const Schema = "seatrial.dev/run/v1alpha1"

const (
	// RunBytesMax bounds what one run adds, in bytes.
	RunBytesMax = 1 << 20
	// logBytesMax bounds the log in it; the middle of a longer one is left out.
	logBytesMax = 64 << 10
	// resultBytesMax bounds what is unpacked of a result.
	resultBytesMax = 1 << 28
	// Keep is how many runs are kept.
	Keep = 50

	folder     = "runs"
	runFile    = "run.json"
	resultFile = "result.json.gz"
	logFile    = "log"
	unfinished = ".new-"
	removed    = ".old-"
	idLayout   = "20060102-150405"
)

// Run is what is known of a run beside its result.
type Run struct {
	Schema string `json:"schema"`
	ID     string `json:"id"`
	// Command repeats the run; Options are the flags that were given.
	Command string            `json:"command"`
	Options map[string]string `json:"options,omitempty"`
	// Began is when, in UTC, to the second, and Seconds how long it took.
	Began      time.Time `json:"began"`
	Seconds    float64   `json:"seconds"`
	Version    string    `json:"version"`
	Kubernetes string    `json:"kubernetes,omitempty"`
	// Inputs are the files that were read, and Digest is of all of them.
	Inputs []Input `json:"inputs,omitempty"`
	Digest string  `json:"digest,omitempty"`
	// Verdict is empty for a run that judges nothing. Code is the exit code.
	Verdict string `json:"verdict,omitempty"`
	Code    int    `json:"code"`
	Results Tally  `json:"results"`
	// Facts are about this run alone, by name: how long, how much was remembered.
	Facts []Fact `json:"facts,omitempty"`
	// Shortened says what of the result was too long to be kept.
	Shortened string `json:"shortened,omitempty"`
}

// Tally counts results.
type Tally struct {
	Violated     int `json:"violated"`
	Ignored      int `json:"ignored"`
	Inconclusive int `json:"inconclusive"`
	Holds        int `json:"holds"`
}

// Fact is one thing to know about a run, as people read it.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Input is one file that was read.
type Input struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	Bytes  int    `json:"bytes"`
}

// Form is one way to write a result down.
type Form struct {
	// JSON is the result.
	JSON func() ([]byte, error)
	// Without says what is not in it; empty for the whole.
	Without string
}

// Store is a folder of runs. The zero value keeps nothing.
type Store struct {
	// Folder is .seatrial in the working directory.
	Folder string
}

// Save keeps a run and returns its id, which is made of the time at which it began.
// Of the forms of its result the first is taken with which the run is small
// enough. Older runs than the newest Keep are removed.
func (s Store) Save(run Run, forms []Form, log []byte) (id string, err error) {
	if err := s.prepare(); err != nil {
		return "", err
	}
	began := run.Began.UTC().Truncate(time.Second)
	run.Schema, run.Began = Schema, began
	building, err := os.MkdirTemp(s.runs(), unfinished+began.Format(idLayout)+"-*")
	if err != nil {
		return "", reason(err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(building) // the first error is the one to show
		}
	}()
	log = middleOut(log, logBytesMax)
	packed, without, err := pack(forms, RunBytesMax-len(log)-runFileRoom)
	if err != nil {
		return "", err
	}
	run.Shortened = without
	if err := write(building, resultFile, packed); err != nil {
		return "", err
	}
	if err := write(building, logFile, log); err != nil {
		return "", err
	}
	if id, err = s.claim(building, run); err != nil {
		return "", err
	}
	s.prune(began)
	return id, nil
}

// runFileRoom is what run.json takes at most; inputs beyond it are left out of it.
const runFileRoom = 128 << 10

// sameSecondMax is the most runs that begin in one second.
const sameSecondMax = 100

// claim gives a run that is written the first free id of its second.
func (s Store) claim(building string, run Run) (string, error) {
	base := run.Began.Format(idLayout)
	for n := 1; n <= sameSecondMax; n++ {
		run.ID = base
		if n > 1 {
			run.ID = fmt.Sprintf("%s-%02d", base, n)
		}
		head, err := encode(run)
		if err != nil {
			return "", err
		}
		if err := write(building, runFile, head); err != nil {
			return "", err
		}
		// Renaming fails if a folder of that name has something in it: runs have.
		err = os.Rename(building, filepath.Join(s.runs(), run.ID))
		if err == nil {
			return run.ID, nil
		}
		if _, taken := os.Lstat(filepath.Join(s.runs(), run.ID)); taken != nil {
			return "", reason(err)
		}
	}
	return "", fmt.Errorf("%d runs began in one second", sameSecondMax)
}

// encode writes run.json, without the inputs if they are too many.
func encode(run Run) ([]byte, error) {
	head, err := json.MarshalIndent(run, "", "  ")
	if err == nil && len(head) > runFileRoom {
		run.Inputs = nil
		head, err = json.MarshalIndent(run, "", "  ")
	}
	if err == nil && len(head) > runFileRoom {
		run.Command, run.Options = "", nil
		head, err = json.MarshalIndent(run, "", "  ")
	}
	return append(head, '\n'), err
}

// prepare makes the folders, and keeps them out of git.
func (s Store) prepare() error {
	if err := os.MkdirAll(s.runs(), 0o777); err != nil {
		return reason(err)
	}
	ignore := filepath.Join(s.Folder, ".gitignore")
	f, err := os.OpenFile(ignore, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return reason(err)
	}
	_, err = f.WriteString("*\n")
	return reason(errors.Join(err, f.Close()))
}

func (s Store) runs() string { return filepath.Join(s.Folder, folder) }

// prune removes the oldest runs, and what killed runs have left for a day.
func (s Store) prune(now time.Time) {
	entries, err := os.ReadDir(s.runs())
	if err != nil {
		return // it is only room
	}
	yesterday := now.Add(-24 * time.Hour).Format(idLayout)
	var ids []string
	for _, e := range entries {
		name := e.Name()
		switch {
		case isID(name):
			ids = append(ids, name)
		case strings.HasPrefix(name, unfinished) && strings.TrimPrefix(name, unfinished) < yesterday, strings.HasPrefix(name, removed):
			_ = os.RemoveAll(filepath.Join(s.runs(), name)) // another run may be at it too
		}
	}
	slices.Sort(ids)
	for len(ids) > Keep {
		hidden := filepath.Join(s.runs(), removed+ids[0])
		if os.Rename(filepath.Join(s.runs(), ids[0]), hidden) == nil {
			_ = os.RemoveAll(hidden) // the next run tries again
		}
		ids = ids[1:]
	}
}

// isID tells the name of a run from anything else that lies there.
func isID(name string) bool {
	day, rest, _ := strings.Cut(name, "-")
	clock, number, numbered := strings.Cut(rest, "-")
	if _, err := time.Parse(idLayout, day+"-"+clock); err != nil {
		return false
	}
	return !numbered || len(number) >= 2 && strings.Trim(number, "0123456789") == ""
}

// pack compresses the first form that fits into room bytes.
func pack(forms []Form, room int) (packed []byte, without string, err error) {
	for _, f := range forms {
		text, err := f.JSON()
		if err != nil {
			return nil, "", err
		}
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err == nil {
			_, err = z.Write(text)
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			return nil, "", err
		}
		if b.Len() <= room {
			return b.Bytes(), f.Without, nil
		}
	}
	return nil, "", fmt.Errorf("the result takes more than %d KiB", RunBytesMax>>10)
}

// middleOut leaves the middle of a text out.
func middleOut(text []byte, limit int) []byte {
	const mark = "\n…\n"
	if len(text) <= limit {
		return text
	}
	half := (limit - len(mark)) / 2
	return slices.Concat(text[:half], []byte(mark), text[len(text)-half:])
}

func write(in, name string, data []byte) error {
	return reason(os.WriteFile(filepath.Join(in, name), data, 0o666))
}

// reason drops the path and the call from a file error: who asks knows where the
// store is, and the hidden name says nothing.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// Latest names the newest run.
const Latest = "latest"

// ErrNoRun is for a name that no run has.
var ErrNoRun = errors.New("there is no such run")

// Listed is a run, or what is wrong with it.
type Listed struct {
	ID  string
	Run Run
	Err error
}

// List returns all runs, the newest first. A run that cannot be read is listed with
// its error.
func (s Store) List() ([]Listed, error) {
	entries, err := os.ReadDir(s.runs())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, reason(err)
	}
	var all []Listed
	for _, e := range entries {
		if !isID(e.Name()) {
			continue
		}
		run, err := s.head(e.Name())
		if errors.Is(err, fs.ErrNotExist) && s.gone(e.Name()) {
			continue // another run has removed it since
		}
		all = append(all, Listed{e.Name(), run, err})
	}
	slices.SortFunc(all, func(a, b Listed) int { return cmp.Compare(b.ID, a.ID) })
	return all, nil
}

func (s Store) gone(id string) bool {
	_, err := os.Lstat(filepath.Join(s.runs(), id))
	return err != nil
}

func (s Store) head(id string) (Run, error) {
	var run Run
	data, err := os.ReadFile(filepath.Join(s.runs(), id, runFile))
	if err != nil {
		return run, damaged(id, fmt.Errorf("%s: %w", runFile, reason(err)))
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return run, damaged(id, fmt.Errorf("%s: %w", runFile, err))
	}
	if run.Schema != Schema {
		return run, damaged(id, fmt.Errorf("%s: the schema is %q, want %q", runFile, run.Schema, Schema))
	}
	run.ID = id
	return run, nil
}

func damaged(id string, err error) error {
	return fmt.Errorf("run %s cannot be read: %w", id, err)
}

// Open finds a run: by its id, by the beginning of one that no other run has, or
// the newest as "latest".
func (s Store) Open(name string) (Run, error) {
	all, err := s.List()
	if err != nil {
		return Run{}, err
	}
	if name == Latest && len(all) > 0 {
		return all[0].Run, all[0].Err
	}
	var found []Listed
	for _, l := range all {
		if l.ID == name {
			return l.Run, l.Err
		}
		if name != "" && strings.HasPrefix(l.ID, name) {
			found = append(found, l)
		}
	}
	switch len(found) {
	case 0:
		return Run{}, ErrNoRun
	case 1:
		return found[0].Run, found[0].Err
	}
	return Run{}, fmt.Errorf("%d runs begin with %s, from %s to %s", len(found), name, found[len(found)-1].ID, found[0].ID)
}

// Result is what the run found, as JSON.
func (s Store) Result(id string) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, fmt.Errorf("run %s cannot be read: %s: %w", id, resultFile, reason(err))
	}
	f, err := os.Open(filepath.Join(s.runs(), id, resultFile))
	if err != nil {
		return fail(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fail(err)
	}
	data, err := io.ReadAll(io.LimitReader(z, resultBytesMax+1))
	if err == nil && len(data) > resultBytesMax {
		err = fmt.Errorf("it has more than %d MiB", resultBytesMax>>20)
	}
	if err != nil {
		return fail(err)
	}
	return data, nil
}
