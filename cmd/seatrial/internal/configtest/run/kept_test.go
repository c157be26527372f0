package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestKept: a program is found again under its key, and goes when nobody has used it for long.
func TestKept(t *testing.T) {
	k := Kept{filepath.Join(t.TempDir(), "programs")}
	p := Package{Path: "example.com/m/server"}
	if _, is := k.Program(p, "one"); is {
		t.Fatal("there is a program of nobody")
	}
	for _, key := range []string{"one", "two"} {
		folder, err := k.Building()
		if err != nil {
			t.Fatal(err)
		}
		built := Program{Package: p, File: filepath.Join(folder, "0", "server.test")}
		if err := os.Mkdir(filepath.Dir(built.File), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(built.File, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
		if kept := k.Keep(built, key); kept.File != filepath.Join(k.Folder, key, "server.test") {
			t.Fatalf("it is at %s", kept.File)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	for _, key := range []string{"one", "two"} {
		old := now.Add(-4 * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(k.Folder, key), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := k.Building(); err != nil { // a killed run leaves it
		t.Fatal(err)
	}
	if found, is := k.Program(p, "two"); !is || filepath.Base(filepath.Dir(found.File)) != "two" {
		t.Errorf("found %v, %t", found, is)
	}
	k.Sweep(now.Add(36 * time.Hour))
	if _, is := k.Program(p, "one"); is {
		t.Error("a program that nobody has used for five days is still there")
	}
	left, err := os.ReadDir(k.Folder)
	if err != nil || len(left) != 1 || left[0].Name() != "two" {
		t.Errorf("left are %v, %v", left, err)
	}
}

// TestProgramKey: a program is another one if a text of its own packages is, or one that is added to the module; not if
// that of another package is.
func TestProgramKey(t *testing.T) {
	module := t.TempDir()
	own, other := filepath.Join(module, "own", "a.go"), filepath.Join(module, "other", "b.go")
	for _, name := range []string{own, other} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("package x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	added := filepath.Join(module, "internal", "table.go")
	p := Package{Key: "k", Folders: []string{filepath.Dir(own)}}
	key := func(ownText, otherText, addedText string, with ...string) string {
		return p.ProgramKey(map[string][]byte{own: []byte(ownText), other: []byte(otherText), added: []byte(addedText)}, with...)
	}
	first := key("1", "1", "1", "go1")
	if key("1", "2", "1", "go1") != first {
		t.Error("it is another one for a text that it is not built from")
	}
	for _, k := range []string{key("2", "1", "1", "go1"), key("1", "1", "2", "go1"), key("1", "1", "1", "go2")} {
		if k == first {
			t.Error("it is the same although what it is built from is not")
		}
	}
}
