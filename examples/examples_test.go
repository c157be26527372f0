package examples

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryExampleIsThere: what the repository has as an example can be shown without
// it, and nothing of it lies where it would not be found.
func TestEveryExampleIsThere(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".yaml" {
			return err
		}
		slashed := filepath.ToSlash(name)
		if !strings.HasPrefix(slashed, "cases/") && !strings.HasPrefix(slashed, "rules/") {
			return nil
		}
		found++
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if got, err := fs.ReadFile(files, slashed); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v", slashed, err)
		}
		if base := filepath.Base(name); base != order[0] && base != order[1] {
			t.Errorf("%s is none of %q", slashed, order)
		}
		return nil
	})
	if err != nil || found < 100 {
		t.Errorf("%d files: %v", found, err)
	}
}

func TestOf(t *testing.T) {
	e, err := Of("examples/rules/SEA1002/fails", "examples/rules/SEA1002/holds")
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Files) != 2 || e.Files[0].Name != "manifests.yaml" || !strings.Contains(e.Files[1].Text, "kind: Scenario") {
		t.Errorf("%+v", e.Files)
	}
	if want := "# manifests.yaml\n   name: web\n spec:\n-  replicas: 1\n+  replicas: 2\n"; e.Difference != want {
		t.Errorf("got %q, want %q", e.Difference, want)
	}
	same, err := Of("examples/rules/SEA1002/fails", "examples/rules/SEA1002/fails")
	if err != nil || same.Difference != "" {
		t.Errorf("%q, %v", same.Difference, err)
	}
	for _, folder := range []string{"", "rules/SEA1002/fails", "examples/rules/SEA1999/fails", "examples/../go.mod", "examples/rules"} {
		if e, err := Of(folder, "examples/rules/SEA1002/holds"); err == nil {
			t.Errorf("%q: %+v", folder, e)
		}
		if _, err := Of("examples/rules/SEA1002/holds", folder); err == nil {
			t.Errorf("%q is there", folder)
		}
	}
}
