package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestMarks: tests that say what they are about are run for it: one that makes its own struct, and one of which nobody
// sees what it reads.
func TestMarks(t *testing.T) {
	pace.Slow(t)
	folder := filepath.Join(examples, "courier")
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	m, err := s.mapped(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	for _, one := range m.Packages[0].Tests {
		tests = append(tests, fmt.Sprintf("%s reads %s sets %s makes %s marked %s optional %s only %t", one.Name, one.Reads, one.Sets, one.Makes, one.Marked, one.Optional, one.Only))
	}
	want := []string{
		"TestAllIsBrought reads [field:Config.couriers field:Config.load] sets [] makes [] marked [field:Config.couriers field:Config.load] optional [] only true",
		"TestGreets reads [] sets [] makes [] marked [] optional [field:Config.greeting] only false",
	}
	if !slices.Equal(tests, want) || len(m.Untrue()) > 0 || len(m.Notes) > 0 {
		t.Errorf("the map has\n%s\n%q %q", strings.Join(tests, "\n"), m.Untrue(), m.Notes)
	}
	for seeded, want := range map[string]string{
		"more-couriers":  "violated couriers: TestAllIsBrought: 112 of 120 parcels are brought (courier_test.go:16)",
		"five-couriers":  "holds couriers: 1 test passes with it",
		"no-greeting":    `violated greeting: TestGreets: it says ", we are on the way.", <nil> (courier_test.go:24)`,
		"other-greeting": "inconclusive greeting: no read of the new value was seen: TestGreets",
	} {
		var versions [2]Version
		for i, name := range []string{"config.json", filepath.Join("seeded", seeded+".json")} {
			if versions[i].Settings, err = change.Read(t.Context(), folder, name); err != nil {
				t.Fatal(err)
			}
		}
		o, err := s.diff(t.Context(), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder)
		if got := fmt.Sprintf("%s %s: %s", r.Results[0].Verdict, r.Results[0].Subject, r.Results[0].Message+r.Results[0].Reason); got != want || len(r.Results) != 1 {
			t.Errorf("%s: %s, want %s", seeded, got, want)
		}
	}
}

// TestPatchedFlags: a struct that a test has made gets what flags say, too.
func TestPatchedFlags(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	module(t, folder, map[string]string{
		"main.go": `package main

import (
	"flag"
	"time"
)

type options struct {
	wait  time.Duration
	tries int
}

func (o *options) register(f *flag.FlagSet) {
	f.DurationVar(&o.wait, "wait", time.Second, "")
	f.IntVar(&o.tries, "tries", 3, "")
}

func (o *options) all() time.Duration { return o.wait * time.Duration(o.tries) }

func main() {
	var o options
	o.register(flag.CommandLine)
	flag.Parse()
	time.Sleep(o.all())
}
`,
		"main_test.go": `package main

import (
	"testing"
	"time"

	"github.com/seatrial/seatrial/configtest"
)

func TestShort(t *testing.T) {
	o := configtest.Patch(t, &options{wait: time.Second, tries: 2})
	if o.all() > time.Minute {
		t.Error("it takes", o.all())
	}
}
`,
	})
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	const manifest = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, args: [%s]}]}\n"
	for args, want := range map[string]string{
		"--wait=50s": "violated --wait: TestShort: it takes 1m40s (main_test.go:13)",
		"--wait=5s":  "holds --wait: 1 test passes with it",
		"--wait=5":   `violated --wait: TestShort: time: missing unit in duration "5"`,
	} {
		var versions [2]Version
		for i, args := range []string{"--wait=2s", args} {
			if versions[i].Settings, err = change.Parse("a.yaml", []byte(fmt.Sprintf(manifest, args))); err != nil {
				t.Fatal(err)
			}
		}
		o, err := s.diff(t.Context(), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder)
		if got := fmt.Sprintf("%s %s: %s", r.Results[0].Verdict, r.Results[0].Subject, r.Results[0].Message+r.Results[0].Reason); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

// module is a module that has the package of marks, with some files.
func module(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	files["go.mod"] = "module example.com/courier\n\ngo 1.26.0\n\nrequire github.com/seatrial/seatrial v0.0.0\n\nreplace github.com/seatrial/seatrial => " + root + "\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestUntrueMarks: what a test says of itself is held to what it was seen to do.
func TestUntrueMarks(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "courier"))); err != nil {
		t.Fatal(err)
	}
	module(t, folder, map[string]string{
		"courier_test.go": `package main

import (
	"os"
	"testing"

	"github.com/seatrial/seatrial/configtest"
)

func TestUnread(t *testing.T) { configtest.Param(t, "env:COURIER_LEVEL", "flag:v"); os.Getenv("COURIER_LEVEL") }

func TestMore(t *testing.T) {
	configtest.Only(t, "field:Config.load")
	_ = ways(Default(), 1)
}

func TestSets(t *testing.T) {
	configtest.Param(t, "field:Config.load")
	c := configtest.Patch(t, &Config{Couriers: 1, Load: 2})
	c.Load = 3
	_ = ways(c, 1)
}

func TestOther(t *testing.T) { configtest.Patch(t, &struct{ A int }{1}) }
`,
	})
	m, err := Map(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"TestMore is marked for others only, and reads field:Config.couriers",
		"TestSets is marked for field:Config.load, and sets it itself",
		"TestUnread is marked for flag:--v, and was not seen to read it",
	}
	if got := m.Untrue(); !slices.Equal(got, want) {
		t.Errorf("untrue is\n%s", strings.Join(got, "\n"))
	}
	if len(m.Notes) != 1 || !strings.HasPrefix(m.Notes[0], "TestOther calls configtest.Patch with a struct { A int }, which is no type of a configuration") {
		t.Errorf("the notes are %q", m.Notes)
	}
	o := Outcome{Untrue: want[:1]}
	if r := o.Report(""); !slices.ContainsFunc(r.Warnings, func(w finding.Warning) bool { return w.Message == want[0] }) {
		t.Errorf("the warnings are %v", r.Warnings)
	}
}
