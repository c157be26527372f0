package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
)

// shown finds a console block that shows one command and what it prints.
var shown = regexp.MustCompile("(?ms)^```console\n\\$ bin/seatrial ([^\n]*)\n(.*?)^```$")

// prepared finds the commands by which a page makes the report that it goes on
// with.
var prepared = regexp.MustCompile("(?m)^bin/seatrial (check -o json=report.json examples/[^\n]*)$")

// TestDocumentedOutput runs every command whose output the documentation
// shows, from the root of the repository as a reader would.
func TestDocumentedOutput(t *testing.T) {
	t.Chdir("../..")
	blocks := 0
	for _, page := range pages(t, ".") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range prepared.FindAllStringSubmatch(string(text), -1) {
			streams, _, errors := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"SEATRIAL_SAVE": "false"}})
			cli.Main(append([]string{"seatrial"}, strings.Fields(command[1])...), streams, trials())
			if _, err := os.Stat("report.json"); err != nil {
				t.Errorf("%s: seatrial %s writes no report: %s", page, command[1], errors)
			}
			t.Cleanup(func() { _ = os.Remove("report.json") })
		}
		for _, block := range shown.FindAllStringSubmatch(string(text), -1) {
			blocks++
			streams, out, _ := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8", "SEATRIAL_SAVE": "false"}})
			cli.Main(append([]string{"seatrial"}, strings.Fields(block[1])...), streams, trials())
			if *rewriteDocs && out.String() != "" { // what only changes its words is not typed again
				text = []byte(strings.Replace(string(text), block[0], strings.Replace(block[0], block[2], out.String(), 1), 1))
				if err := os.WriteFile(page, text, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(block[2], out.String()); diff != "" {
				t.Errorf("%s: seatrial %s prints something else (-shown +printed):\n%s", page, block[1], diff)
			}
		}
	}
	if blocks == 0 {
		t.Error("no page shows what a command prints")
	}
}

// quoted finds the Go code that a page has from a file.
var quoted = regexp.MustCompile("(?ms)^<!-- ([^ ]*[.]go) -->\n```go\n(.*?)^```$")

// TestQuotedCode: code of the repository that a page shows is as it is there.
func TestQuotedCode(t *testing.T) {
	count := 0
	for _, page := range pages(t, "../..") {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range quoted.FindAllStringSubmatch(string(text), -1) {
			count++
			file, err := os.ReadFile(filepath.Join("../..", block[1]))
			if err != nil || !strings.Contains(string(file), block[2]) {
				t.Errorf("%s: this is not in %s (%v):\n%s", page, block[1], err, block[2])
			}
		}
	}
	if count < 3 {
		t.Errorf("%d pieces of code were found", count)
	}
}

// pages are README and the manual below the root of the repository, by their names
// there.
func pages(t *testing.T, root string) []string {
	t.Helper()
	out := []string{"README.md"}
	err := fs.WalkDir(os.DirFS(root), "docs", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
