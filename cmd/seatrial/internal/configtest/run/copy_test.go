package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCopyOfLinks: a file that is put behind a link is another one for whoever opens it by any path, and the module
// stays as it is.
func TestCopyOfLinks(t *testing.T) {
	module, elsewhere := t.TempDir(), t.TempDir()
	files := map[string]string{
		filepath.Join(module, "deploy/config/app.ini"):           "old",
		filepath.Join(module, "deploy/config/other.ini"):         "other",
		filepath.Join(module, "node_modules/some/settings.json"): "old",
		filepath.Join(elsewhere, "app.ini"):                      "old",
		filepath.Join(elsewhere, "other.ini"):                    "other",
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"config": "deploy/config", "whole": ".", "app.ini": "config/app.ini", "absolute": filepath.Join(module, "deploy"), "mounted": elsewhere,
		"mounted.ini": filepath.Join(elsewhere, "app.ini"), "nowhere": "not/there",
	} {
		if err := os.Symlink(to, filepath.Join(module, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		other []string // the paths at which there is the other text
	}{
		{"config/app.ini", []string{"config/app.ini", "deploy/config/app.ini", "app.ini", "absolute/config/app.ini", "whole/config/app.ini"}},
		{"whole/absolute/config/app.ini", []string{"config/app.ini", "deploy/config/app.ini"}},
		{"app.ini", []string{"config/app.ini", "app.ini"}},
		{"config/new.ini", []string{"config/new.ini", "deploy/config/new.ini"}},
		{"mounted/app.ini", []string{"mounted/app.ini"}},
		{"mounted.ini", []string{"mounted.ini"}},
		{"nowhere", []string{"nowhere"}},
		{"node_modules/some/settings.json", []string{"node_modules/some/settings.json"}},
		{"new/folder/app.ini", []string{"new/folder/app.ini"}},
	} {
		folder := t.TempDir()
		if err := (&Module{Directory: module}).Copy(folder, map[string][]byte{c.name: []byte("new")}); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, name := range c.other {
			if text, err := os.ReadFile(filepath.Join(folder, name)); string(text) != "new" {
				t.Errorf("%s: at %s there is %q, %v", c.name, name, text, err)
			}
		}
		for _, name := range []string{"config/other.ini", "mounted/other.ini"} {
			if text, err := os.ReadFile(filepath.Join(folder, name)); string(text) != "other" {
				t.Errorf("%s: at %s there is %q, %v", c.name, name, text, err)
			}
		}
		for name, want := range files {
			if text, err := os.ReadFile(name); string(text) != want {
				t.Errorf("%s: the user's %s is %q, %v", c.name, name, text, err)
			}
		}
		if _, err := os.Stat(filepath.Join(module, "deploy/config/new.ini")); err == nil {
			t.Errorf("%s: there is a new file in the module", c.name)
			_ = os.Remove(filepath.Join(module, "deploy/config/new.ini"))
		}
	}
}
