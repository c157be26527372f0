package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSays: a name is in a text of the program, as a word, and neither in what it calls its own, nor in a test.
func TestSays(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"shop.go":       "package shop\n\n// Retires is gone.\ntype C struct {\n\tSize int `yaml:\"max_size\"`\n}\n\nvar gone = \"queue.retires\" + prefix + \"WORKERS\"\n",
		"shop_test.go":  "package shop\n\nconst text = \"bacth\"\n",
		"testdata/x.go": "package x\n\nconst text = \"bacth\"\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := &Module{Directory: folder}
	for name, want := range map[string]bool{"max_size": true, "retires": true, "workers": true, "size": false, "max": false, "bacth": false, "gone": false} {
		if got := m.Says(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
