package runstore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func form(text string) []Form {
	return []Form{{JSON: func() ([]byte, error) { return []byte(text), nil }}}
}

func save(t *testing.T, s Store, at time.Time, text string) string {
	t.Helper()
	id, err := s.Save(Run{Began: at, Verdict: "holds"}, form(text), []byte("said"))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func ids(t *testing.T, s Store) []string {
	t.Helper()
	all, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range all {
		if l.Err != nil {
			t.Error(l.Err)
		}
		out = append(out, l.ID)
	}
	return out
}

func TestSaveAndFind(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), ".seatrial")}
	if _, err := s.Open(Latest); !errors.Is(err, ErrNoRun) {
		t.Errorf("an empty store has a latest run: %v", err)
	}
	first := save(t, s, noon.Add(time.Millisecond).In(time.FixedZone("", 3600)), "1")
	again := save(t, s, noon, "2")
	later := save(t, s, noon.Add(time.Second), "3")
	if got := ids(t, s); !slices.Equal(got, []string{"20261122-120001", "20261122-120000-02", "20261122-120000"}) {
		t.Errorf("%q", got)
	}
	for name, want := range map[string]string{
		Latest: "3", later: "3", first: "1", again: "2", "20261122-120001": "3", "20261122-120000-": "2",
	} {
		run, err := s.Open(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := s.Result(run.ID); err != nil || string(got) != want || run.Verdict != "holds" {
			t.Errorf("%s: %q, %v, %+v", name, got, err, run)
		}
	}
	for name, want := range map[string]string{
		"2026": "3 runs begin with 2026, from 20261122-120000 to 20261122-120001", "": "no such run", "..": "no such run", "20261122-12000": "3 runs begin",
	} {
		if _, err := s.Open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", name, err, want)
		}
	}
	ignore, err := os.ReadFile(filepath.Join(s.Folder, ".gitignore"))
	if err != nil || string(ignore) != "*\n" {
		t.Errorf("%q, %v", ignore, err)
	}
}

// TestSeveralAtOnce: every run has an id of its own, and is whole.
func TestSeveralAtOnce(t *testing.T) {
	s := Store{filepath.Join(t.TempDir(), ".seatrial")}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			id, err := s.Save(Run{Began: noon}, form(fmt.Sprint(i)), nil)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := s.Result(id); err != nil || string(got) != fmt.Sprint(i) {
				t.Errorf("%s: %q, %v, want %d", id, got, err, i)
			}
		})
	}
	all.Wait()
	if got := ids(t, s); len(got) != 20 {
		t.Errorf("%q", got)
	}
}

// TestOldRunsGo: the newest are kept, and what a killed run left goes after a day.
func TestOldRunsGo(t *testing.T) {
	s := Store{t.TempDir()}
	for name, kept := range map[string]bool{
		unfinished + "20261122-115959-1": true, unfinished + "20261120-000000-1": false, removed + "20261122-115959": false, "notes": true,
	} {
		path := filepath.Join(s.runs(), name)
		if err := os.MkdirAll(filepath.Join(path, "x"), 0o777); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := os.Stat(path); (err == nil) != kept {
				t.Errorf("%s: %v", name, err)
			}
		}()
	}
	for i := range Keep + 3 {
		save(t, s, noon.Add(time.Duration(i)*time.Second), "x")
	}
	got := ids(t, s)
	if len(got) != Keep || got[len(got)-1] != "20261122-120003" {
		t.Errorf("%d: %q", len(got), got)
	}
}

// TestRunIsSmall: what is too long is left out, first of the result.
func TestRunIsSmall(t *testing.T) {
	s := Store{t.TempDir()}
	noise := make([]byte, RunBytesMax)
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(noise) // never fails
	whole := Form{JSON: func() ([]byte, error) { return noise, nil }}
	short := Form{JSON: func() ([]byte, error) { return []byte("short"), nil }, Without: "the traces"}
	inputs := make([]Input, 5000)
	for i := range inputs {
		inputs[i] = Input{File: fmt.Sprintf("%x", noise[i*20:i*20+20])}
	}
	id, err := s.Save(Run{Began: noon, Inputs: inputs, Digest: "all"}, []Form{whole, short}, noise)
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Open(id)
	if err != nil || run.Shortened != "the traces" || run.Digest != "all" {
		t.Errorf("%+v, %v", run.Shortened, err)
	}
	total := int64(0)
	for _, name := range []string{runFile, resultFile, logFile} {
		info, err := os.Stat(filepath.Join(s.runs(), id, name))
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > RunBytesMax {
		t.Errorf("%d bytes", total)
	}
	if _, err := s.Save(Run{Began: noon}, []Form{whole}, nil); err == nil || !strings.Contains(err.Error(), "more than 1024 KiB") {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(filepath.Join(s.runs(), ".*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

// TestDamage: what cannot be read says so, and does not hide the others.
func TestDamage(t *testing.T) {
	damages := map[string]struct {
		file, content, want string
	}{
		"no run.json":        {runFile, "", "run.json: no such file or directory"},
		"a run.json cut off": {runFile, `{"schema":`, "run.json: unexpected end of JSON input"},
		"another schema":     {runFile, `{"schema":"seatrial.dev/run/v9"}`, `the schema is "seatrial.dev/run/v9"`},
		"no result":          {resultFile, "", "result.json.gz: no such file or directory"},
		"no gzip":            {resultFile, "{}", "result.json.gz: unexpected EOF"},
		"gzip cut off":       {resultFile, "cut", "unexpected EOF"},
		"gzip changed":       {resultFile, "changed", "result.json.gz: "},
	}
	for name, d := range damages {
		t.Run(name, func(t *testing.T) {
			s := Store{t.TempDir()}
			save(t, s, noon.Add(-time.Hour), "fine")
			id := save(t, s, noon, strings.Repeat("text ", 100))
			path := filepath.Join(s.runs(), id, d.file)
			was, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			switch d.content {
			case "":
				err = os.Remove(path)
			case "cut":
				err = os.WriteFile(path, was[:len(was)-9], 0o666)
			case "changed":
				err = os.WriteFile(path, bytes.Replace(was, was[12:14], []byte("??"), 1), 0o666)
			default:
				err = os.WriteFile(path, []byte(d.content), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Open(id)
			if err == nil {
				_, err = s.Result(id)
			}
			if err == nil || !strings.HasPrefix(err.Error(), "run "+id+" cannot be read: ") || !strings.Contains(err.Error(), d.want) {
				t.Errorf("%v, want %s", err, d.want)
			}
			if all, err := s.List(); err != nil || len(all) != 2 || all[1].Err != nil {
				t.Errorf("%+v, %v", all, err)
			}
		})
	}
}

// TestNoRoom: where no folder can be made, the error says why in a few words.
func TestNoRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Store{filepath.Join(file, ".seatrial")}.Save(Run{Began: noon}, form("x"), nil)
	if err == nil || err.Error() != "not a directory" {
		t.Errorf("%v", err)
	}
}

func TestIDs(t *testing.T) {
	for name, want := range map[string]bool{
		"20261122-120000": true, "20261122-120000-02": true, "20261122-120000-100": true, "20261122-120000-x": false, "20261122": false,
		"20261399-120000": false, ".new-20261122-120000": false, "": false, "20261122-120000-": false,
	} {
		if isID(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
