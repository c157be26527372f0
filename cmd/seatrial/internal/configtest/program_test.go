package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
)

// untested is a program that no test starts.
const untested = `package main

import (
	"flag"
	"log"
	"os"
	"time"

	"encoding/json"
)

type config struct {
	Workers int    ` + "`json:\"workers\"`" + `
	Buffers int    ` + "`json:\"buffers\"`" + `
	Level   string ` + "`json:\"level\"`" + `
}

func main() {
	file := flag.String("config", "", "")
	port := flag.Int("port", 80, "")
	flag.Parse()
	text, err := os.ReadFile(*file)
	if err != nil {
		log.Fatal(err)
	}
	var c config
	if err := json.Unmarshal(text, &c); err != nil {
		log.Fatal(err)
	}
	switch c.Level {
	case "low", "high":
	default:
		log.Fatalf("no level %q", c.Level)
	}
	if *port > 65535 || *port < 0 {
		log.Fatalf("no port %d", *port)
	}
	each := 100 / c.Buffers * c.Workers
	log.Print("a buffer has ", each)
	<-time.After(time.Hour)
}
`

// TestGenerateStarts: a program whose loader has no test is started with each value: what it refuses, what it takes,
// and what ends it.
func TestGenerateStarts(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/untested\n\ngo 1.24\n", "main.go": untested,
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	given := `{"workers": 4, "buffers": 10, "level": "low"}`
	if err := os.WriteFile(filepath.Join(folder, "given.json"), []byte(given), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, start, text, want string }{
		"a file": {"a.json", ". --config {}", given, `
violated buffers: with buffers = 0 the program's start: panic: runtime error: integer divide by zero
violated workers: workers = -1 is negative: nothing refuses it, and the program's start passes
holds level
`},
		"a key of an object": {"a.yaml", ". --config {c.json}", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  c.json: |\n    {\"buffers\": 10, \"level\": \"low\"}\n", `
violated buffers: with buffers = 0 the program's start: panic: runtime error: integer divide by zero
`},
		"an argument": {"a.yaml", ". {args}", "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, args: [--port=8080, --config=" + filepath.Join(folder, "given.json") + "]}]}\n", `
holds --port
holds --config
`},
		"it does not start": {"a.json", ". --config {}", `{"workers": 4, "buffers": 0, "level": "low"}`, `
inconclusive workers
inconclusive buffers
inconclusive level
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings, err := change.Parse(c.file, []byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			o := options(t, folder, "")
			o.Start = Start{Command: strings.Fields(c.start), Within: time.Second}
			out, err := Generate(t.Context(), o, Generating{File: &Version{Name: c.file, Text: []byte(c.text), Settings: settings}, Most: DefaultMost})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for _, r := range out.Report("").Results {
				fmt.Fprintf(&got, "%s %s: %s%s\n", r.Verdict, r.Subject, r.Message, r.Reason)
			}
			for _, line := range strings.Split(strings.TrimSpace(c.want), "\n") {
				if !strings.Contains(got.String(), line) {
					t.Errorf("it says\n%s\nwant\n%s", got.String(), line)
				}
			}
		})
	}
}
