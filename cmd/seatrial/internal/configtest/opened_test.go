package configtest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestOpened: a test of a package below that opens the file which is shipped is known to read it, also where it shares
// a process, or where TestMain does so before the tests run. It is then run with the other version of the file.
func TestOpened(t *testing.T) {
	pace.Slow(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "config.yaml": "a: 1\n",
		"internal/app/app_test.go": "package app\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestFile(t *testing.T) {\n\tif _, err := os.ReadFile(\"../../config.yaml\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n\nfunc TestNothing(t *testing.T) {}\n",
		"internal/main/main_test.go": "package main\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n)\n\nvar text []byte\n\nfunc TestMain(m *testing.M) {\n\ttext, _ = os.ReadFile(\"../../config.yaml\")\n\tos.Exit(m.Run())\n}\n\n" +
			"func TestFile(t *testing.T) {\n\tif strings.Contains(string(text), \"2\") {\n\t\tt.Fatal(\"two\")\n\t}\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	m, err := s.mapped(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Packages {
		for _, test := range p.Tests {
			if got := slices.Contains(test.Reads, parameter.New(parameter.File, "config.yaml")); got != (test.Name == "TestFile") {
				t.Errorf("%s.%s reads %v", p.Path, test.Name, test.Reads)
			}
		}
	}
	said := func(text string) Version {
		settings, err := change.Parse("config.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return Version{File: filepath.Join(folder, "config.yaml"), Text: []byte(text), Settings: settings}
	}
	out, err := s.diff(t.Context(), said("a: 1\n"), said("a: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Tests) != 2 || len(out.Tests[0].Culprits)+len(out.Tests[1].Culprits) != 1 {
		t.Errorf("of both that open the file one fails: %+v", out.Tests)
	}
}

// shop is a session on a module of some files, and what makes versions of one of them that it has.
func shop(t *testing.T, file string, files map[string]string) (*session, func(text string) Version) {
	t.Helper()
	pace.Sample(t, 2)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	written(t, folder, files)
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	return s, func(text string) Version {
		settings, err := change.Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return Version{File: filepath.Join(folder, file), Text: []byte(text), Settings: settings}
	}
}

// TestOpenedApart: of several changes of a file that a test opens, those that break it are found by the lines that say
// them.
func TestOpenedApart(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.yaml", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.yaml": "a: 1\nb: 1\nc: 1\n",
		"shop_test.go": "package shop\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestFile(t *testing.T) {\n\ttext, _ := os.ReadFile(\"shop.yaml\")\n" +
			"\tif strings.Contains(string(text), \"b: 2\") {\n\t\tt.Fatal(\"two\")\n\t}\n}\n",
	})
	out, err := s.diff(t.Context(), said("a: 1\nb: 1\nc: 1\n"), said("a: 2\nb: 2\nc: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Tests) != 1 || len(out.Tests[0].Culprits) != 1 || !slices.Equal(out.Tests[0].Culprits[0].Changes, []int{1}) {
		t.Errorf("the second change breaks it: %+v", out.Tests[0].Culprits)
	}
}

// TestMinded: a test that opens a file which the program parses by itself, and that passes with the other version,
// reads a value if it fails with another one of that form there. What it does not mind shows nothing, and what it fails
// with is found on its line.
func TestMinded(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.conf", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.conf": "workers 4\nwait 5s\nname a\n",
		"shop_test.go": `package shop

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func read(t *testing.T) (workers int, wait time.Duration) {
	f, err := os.Open("shop.conf")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		switch word, rest, _ := strings.Cut(s.Text(), " "); word {
		case "workers":
			workers, err = strconv.Atoi(rest)
		case "wait":
			wait, err = time.ParseDuration(rest)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return workers, wait
}

func TestWorkers(t *testing.T) {
	if n, _ := read(t); n < 1 || n > 100 {
		t.Error(n)
	}
}
`,
	})
	for _, tc := range []struct {
		text string
		want finding.Verdict
	}{
		{"workers 8\nwait 5s\nname a\n", finding.Holds},
		{"workers 0\nwait 5s\nname a\n", finding.Violated},
		{"workers 4\nwait 5\nname a\n", finding.Violated},
		{"workers 4\nwait 9s\nname a\n", finding.Inconclusive},
		{"workers 4\nwait 5s\nname b\n", finding.Inconclusive},
	} {
		out, err := s.diff(t.Context(), said("workers 4\nwait 5s\nname a\n"), said(tc.text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != tc.want || len(r.Results) != 1 {
			t.Errorf("%q is %s, want %s: %+v", tc.text, r.Verdict, tc.want, r.Results)
		}
	}
}

// TestOpenedAsserted: a test that opens the file which changes, and asserts what it says, fails with each other value,
// too. With a value that nobody takes others pass.
func TestOpenedAsserted(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.json": "{\n  \"name\": \"a\",\n  \"port\": 8080\n}\n",
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"os"
)

type Config struct {
	Name string ` + "`json:\"name\"`" + `
	Port int    ` + "`json:\"port\"`" + `
}

func Load(path string) (*Config, error) {
	text, err := os.ReadFile(path)
	c := &Config{}
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err == nil && (c.Port < 1 || c.Port > 65535) {
		err = fmt.Errorf("no port: %d", c.Port)
	}
	return c, err
}
`,
		"shop_test.go": `package shop

import "testing"

func TestShipped(t *testing.T) {
	if c, err := Load("shop.json"); err != nil || c.Port != 8080 {
		t.Error(c, err)
	}
}

func TestLoads(t *testing.T) {
	if c, err := Load("shop.json"); err != nil || c.Port == 0 {
		t.Error(c, err)
	}
}
`,
	})
	const old = "{\n  \"name\": \"a\",\n  \"port\": 8080\n}\n"
	for text, want := range map[string]finding.Verdict{
		"{\n  \"name\": \"a\",\n  \"port\": 9090\n}\n":                 finding.Holds,
		"{\n  \"name\": \"a\",\n  \"port\": 90900\n}\n":                finding.Violated,
		"{\n  \"more\": 1,\n  \"name\": \"a\",\n  \"port\": 9090\n}\n": finding.Inconclusive,
	} {
		out, err := s.diff(t.Context(), said(old), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("."); r.Verdict != want {
			t.Errorf("%q is %s, want %s: %+v", text, r.Verdict, want, r.Results)
		}
	}
}

// TestOpenedBesideSource: a test that finds the file by where its source is finds the other version, too.
func TestOpenedBesideSource(t *testing.T) {
	s, said := shop(t, "shop.conf", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "shop.conf": "workers 4\n",
		"shop_test.go": `package shop

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func text(t *testing.T) string {
	_, here, line, _ := runtime.Caller(1)
	if filepath.Base(here) != "shop_test.go" || line < 20 {
		t.Fatal(here, line)
	}
	text, err := os.ReadFile(filepath.Join(filepath.Dir(here), "shop.conf"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWorkers(t *testing.T) {
	if strings.Contains(text(t), "workers 0") {
		t.Error("no workers")
	}
}
`,
	})
	out, err := s.diff(t.Context(), said("workers 4\n"), said("workers 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report("."); r.Verdict != finding.Violated {
		t.Errorf("it is %s: %+v", r.Verdict, r.Results)
	}
}
