package instrument

import (
	"os"
	"path/filepath"
	tests "testing"
)

// TestFillOfLinks: a library that is a folder may have links to what is not ours.
func TestFillOfLinks(t *tests.T) {
	root, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "flag.go")
	if err := os.WriteFile(elsewhere, []byte("package flag\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(root, "flag.go")); err != nil {
		t.Fatal(err)
	}
	of := listed{}
	of.Module = &struct {
		Path, Version, Dir, GoMod string
		Main                      bool
		Replace                   *struct{ Path, Version, Dir string }
	}{Path: "example.com/flag"}
	folder := t.TempDir()
	if err := fill(folder, root, ".", of, map[string][]byte{"flag.go": []byte("package other\n")}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{elsewhere: "package flag\n", filepath.Join(folder, "flag.go"): "package other\n"} {
		if text, err := os.ReadFile(name); string(text) != want {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
}
