package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestManyNames: more names than the system takes in one argument are given in several.
func TestManyNames(t *testing.T) {
	folder := t.TempDir()
	script, log := filepath.Join(folder, "shop.test"), filepath.Join(folder, "log")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho run >> "+log+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	var tests []string
	for i := range 5000 {
		tests = append(tests, fmt.Sprintf("TestThatHasANameAsLongAsManyHave%08d", i))
	}
	p := Program{Package: Package{Directory: folder}, File: script}
	r := &Runner{Module: &Module{Directory: folder}, Folder: folder}
	if _, err := r.Together(t.Context(), p, tests, Values{}, time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Shared(t.Context(), p, tests, Values{}, time.Minute, nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), "run") != 4 {
		t.Errorf("it was run %d times, %v", strings.Count(string(text), "run"), err)
	}
}
