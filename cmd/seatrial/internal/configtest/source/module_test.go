package source

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// TestOnce: a file is read once, whoever asks for it, and another module reads it again. What cannot be read says
// nothing.
func TestOnce(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.go", "package a\n\nfunc f(c config) bool { return c.Mode == \"fast\" }\n")
	write("b.go", "package a\n\nfunc g( {\n")
	m := Of(folder, "")
	said := func(m *Module) []string {
		var all [8][]string
		var wait sync.WaitGroup
		for i := range all {
			wait.Go(func() {
				if all[i] = m.Constants([]string{"a.go:3", "b.go:3"}); !m.Known("fast") && !m.Known("slow") {
					t.Error("the program knows neither")
				}
			})
		}
		wait.Wait()
		for _, other := range all[1:] {
			if !slices.Equal(other, all[0]) {
				t.Errorf("%q and %q", other, all[0])
			}
		}
		return all[0]
	}
	if got := said(m); !slices.Equal(got, []string{"fast"}) {
		t.Errorf("it is %q", got)
	}
	first := m.file(filepath.Join(folder, "a.go"))
	write("a.go", "package a\n\nfunc f(c config) bool { return c.Mode == \"slow\" }\n")
	if got := said(m); !slices.Equal(got, []string{"fast"}) || m.file(filepath.Join(folder, "a.go")) != first {
		t.Errorf("it is %q when the file is another one", got)
	}
	if got := said(Of(folder, "")); !slices.Equal(got, []string{"slow"}) {
		t.Errorf("it is %q in another module", got)
	}
}

// TestBelow: a package is the module's if its path begins with that of the module, as a path.
func TestBelow(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		"example.com/a": folder, "example.com/a/b/c": filepath.Join(folder, "b", "c"), "example.com/ab": "", "strings": "", "": "",
	} {
		if got := Of(folder, "example.com/a").below(path); got != want {
			t.Errorf("%s is in %q, want %q", path, got, want)
		}
		if got := Of(folder, "").below(path); got != "" {
			t.Errorf("%s is in %q of a module that has no path", path, got)
		}
	}
}
