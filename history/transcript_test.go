package history

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what is printed into the transcripts")

// TestTranscripts runs the files in testdata. Lines that begin with > are what
// the lines before them print, # is a comment, and the commands are in session.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			var s session
			for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
				if strings.HasPrefix(line, ">") {
					continue
				}
				fmt.Fprintln(&got, line)
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				for _, printed := range s.run(line) {
					fmt.Fprintln(&got, strings.TrimRight("> "+printed, " "))
				}
			}
			if got.String() == string(text) {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("got:\n%s\nwant:\n%s\n(-update writes it)", got.String(), text)
		})
	}
}

// session is what a transcript has said so far.
type session struct {
	mask   Mask
	events []Event
	rest   *Quiescence
}

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (s *session) run(line string) []string {
	command, rest, _ := strings.Cut(line, " ")
	switch command {
	case "mask": // mask PATTERN...: as they are, or default
		m := Mask{}
		for _, p := range strings.Fields(rest) {
			if p == "default" {
				m = DefaultMask()
				continue
			}
			var err error
			if m, err = m.With(p); err != nil {
				return []string{err.Error()}
			}
		}
		s.mask = m
		return nil
	case "canonical": // canonical RESOURCE OBJECT
		resource, object, _ := strings.Cut(rest, " ")
		return []string{string(encode(s.mask.Canonical(resource, parse(object))))}
	case "diff": // diff RESOURCE OBJECT => OBJECT
		resource, objects, _ := strings.Cut(rest, " ")
		a, b, _ := strings.Cut(objects, " => ")
		return changes(Diff(s.mask.Canonical(resource, parse(a)), s.mask.Canonical(resource, parse(b))))
	case "follow": // follow DURATION: from now on, quiet after that long
		quiet, err := time.ParseDuration(rest)
		if err != nil {
			return []string{err.Error()}
		}
		s.rest = NewQuiescence(s.mask, quiet, epoch)
		return nil
	case "compare", "runs": // compare REVISION REVISION, runs REVISION REVISION
		var a, b int64
		if _, err := fmt.Sscan(rest, &a, &b); err != nil {
			return []string{err.Error()}
		}
		var printed []string
		compare := Compare
		if command == "runs" {
			compare = CompareRuns
		}
		for _, d := range compare(At(s.events, a), At(s.events, b), s.mask) {
			printed = append(printed, fmt.Sprintf("%s %s", d.Type, d.Key))
			if d.Type == Update {
				for _, c := range changes(d.Changes) {
					printed = append(printed, "  "+c)
				}
			}
		}
		return printed
	case "forget": // forget REVISION: the events up to it
		var upTo int64
		if _, err := fmt.Sscan(rest, &upTo); err != nil {
			return []string{err.Error()}
		}
		for len(s.events) > 0 && s.events[0].Revision <= upTo {
			s.events = s.events[1:]
		}
		return nil
	case "state": // state REVISION
		var at int64
		if _, err := fmt.Sscan(rest, &at); err != nil {
			return []string{err.Error()}
		}
		var printed []string
		state := At(s.events, at)
		for _, key := range state.Keys() {
			printed = append(printed, fmt.Sprintf("%s %s", key, encode(state[key])))
		}
		return printed
	}
	return s.at(command, rest)
}

// at is a time: TIME ? or TIME ACTOR TYPE RESOURCE NAMESPACE/NAME [OBJECT].
// Revisions are counted, and what was before is remembered.
func (s *session) at(when, what string) []string {
	after, err := time.ParseDuration(when)
	if err != nil {
		return []string{"no such command: " + when}
	}
	now := epoch.Add(after)
	if what == "?" {
		return describe(s.rest.At(now))
	}
	fields := strings.SplitN(what, " ", 5)
	namespace, name, _ := strings.Cut(fields[3], "/")
	e := Event{
		Revision: int64(len(s.events) + 1), Actor: fields[0], Type: Type(fields[1]),
		Key: Key{Resource: fields[2], Namespace: namespace, Name: name},
	}
	if e.Type != Create {
		e.Previous = At(s.events, e.Revision)[e.Key]
	}
	if len(fields) > 4 {
		e.Object = parse(fields[4])
	}
	if err := e.check(); err != nil {
		return []string{err.Error()}
	}
	s.events = append(s.events, e)
	if s.rest != nil {
		s.rest.Add(e, now)
	}
	return nil
}

func describe(r Rest) []string {
	printed := fmt.Sprintf("quiet in %s", r.Wait)
	if r.Quiet {
		printed = "quiet"
	}
	if r.Periodic {
		printed += ", periodic"
	}
	lines := []string{fmt.Sprintf("%s (last counted %d, newest %d)", printed, r.Revision, r.Newest)}
	if r.Cycle != nil {
		lines = append(lines, "cycle:")
		for _, w := range r.Cycle.Writes {
			lines = append(lines, strings.TrimRight(fmt.Sprintf("  %s %s %s %s/%s %s", w.Actor, w.Type, w.Resource, w.Namespace, w.Name, strings.Join(w.Paths, " ")), " "))
		}
	}
	return lines
}

func parse(text string) Object {
	var o Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return Object{"cannot be read": err.Error()}
	}
	return o
}

func changes(found []Change) []string {
	if len(found) == 0 {
		return []string{"the same"}
	}
	lines := make([]string, len(found))
	for i, c := range found {
		from, _ := json.Marshal(c.From)
		to, _ := json.Marshal(c.To)
		lines[i] = fmt.Sprintf("%s: %s -> %s", c.Path, from, to)
	}
	return lines
}
