package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAsserted: a test that compares asserts, and one that hands on does not.
func TestAsserted(t *testing.T) {
	folder := t.TempDir()
	lines := []string{
		"package shop",
		"func TestIt(t *testing.T) {",
	}
	want := map[int]bool{}
	for _, tc := range []struct {
		text string
		want bool
	}{
		{"if cfg.Debug != true { t.Error(cfg) }", true},
		{"if cfg := Load(\"x\"); cfg.Debug { t.Fatal(cfg) }", true},
		{"if diff := cmp.Diff(want, cfg.Part); diff != \"\" { t.Error(diff) }", true},
		{"if err := Run(cfg.Debug); err != nil { t.Fatal(err) }", false},
		{"if cfg.Debug { s.Debug() }", false},
		{"assert.False(t, cfg.Debug)", true},
		{"assert.Equal(t, 200, get(cfg.Debug))", false},
		{"Expect(cfg.Debug).To(BeTrue())", true},
		{"s := New(cfg.Debug)", false},
		{"Run(t, cfg.Debug)", false},
		{"t.Run(\"a\", func(t *testing.T) { Run(t, cfg.Debug); assert.True(t, true) })", true}, // on one line nobody can tell
		{"t.Run(\"a\", func(t *testing.T) {", false},
		{"Run(t, cfg.Debug)", false},
		{"assert.True(t, true)", true},
		{"})", false},
	} {
		lines = append(lines, tc.text)
		want[len(lines)] = tc.want
	}
	text := strings.Join(append(lines, "}", ""), "\n")
	for _, name := range []string{"a_test.go", "a.go"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := Of(folder, "")
	for line, is := range want {
		if got := m.Asserted([]string{fmt.Sprint("a_test.go:", line)}); got != is {
			t.Errorf("%s: it is %t", lines[line-1], got)
		}
		if m.Asserted([]string{fmt.Sprint("a_test.go:", line), fmt.Sprint("a.go:", line)}) {
			t.Errorf("%s: the program reads it, too", lines[line-1])
		}
	}
	if m.Asserted(nil) || m.Asserted([]string{"a_test.go:3?"}) {
		t.Error("what nobody reads is asserted")
	}
}
