package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKeysOfLanguage: the same files are another program for another Go, with another debug setting, and with another
// text in a vendor folder.
func TestKeysOfLanguage(t *testing.T) {
	folder := write(t, map[string]string{
		"go.mod":                        "module example.com/shop\n\ngo 1.24\n\nrequire example.com/dep v0.1.0\n",
		"a_test.go":                     "package shop\n\nimport (\n\t\"testing\"\n\n\t_ \"example.com/dep\"\n)\n\nfunc TestA(t *testing.T) {}\n",
		"vendor/modules.txt":            "# example.com/dep v0.1.0\n## explicit; go 1.24\nexample.com/dep\n",
		"vendor/example.com/dep/dep.go": "package dep\n",
	})
	content := ""
	key := func() string {
		t.Helper()
		m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOPROXY=off"), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		packages, err := m.Packages(t.Context(), []string{"."}, "")
		if err != nil || len(packages) != 1 || packages[0].Problem != "" {
			t.Fatalf("%v, %v", packages, err)
		}
		all := m.Contents(t.Context(), Build{}, []string{packages[0].Path})
		if content = all[packages[0].Path]; content == "" {
			t.Error("what it is linked from is not known")
		}
		return packages[0].Key
	}
	last := key()
	for _, c := range []struct {
		what, file, text string
		other            bool
	}{
		{"a comment", "go.mod", "module example.com/shop // a\n\ngo 1.24\n\nrequire example.com/dep v0.1.0\n", false},
		{"another Go", "go.mod", "module example.com/shop\n\ngo 1.23\n\nrequire example.com/dep v0.1.0\n", true},
		{"a debug setting", "go.mod", "module example.com/shop\n\ngo 1.23\n\ngodebug panicnil=1\n\nrequire example.com/dep v0.1.0\n", true},
		{"the same in brackets", "go.mod", "module example.com/shop\n\ngo 1.23\n\ngodebug (\n\tpanicnil=1 // a\n)\n\nrequire (\n\texample.com/dep v0.1.0\n)\n", false},
		{"another text that is vendored", "vendor/example.com/dep/dep.go", "package dep\n\nvar X int\n", true},
		{"a workspace", "go.work", "go 1.24\n\nuse .\n", true},
		{"a comment", "go.work", "go 1.24 // a\n\nuse .\n", false},
		{"a debug setting of a workspace", "go.work", "go 1.24\n\ngodebug panicnil=1\n\nuse .\n", true},
	} {
		if c.what == "a workspace" { // its own vendor folder would be beside the go.work
			if err := os.RemoveAll(filepath.Join(folder, "vendor")); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{
				"go.mod": "module example.com/shop\n\ngo 1.23\n\nrequire example.com/dep v0.1.0\n\nreplace example.com/dep => ./dep\n", "dep/go.mod": "module example.com/dep\n", "dep/dep.go": "package dep\n",
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			last = key()
		}
		if err := os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := content
		now := key()
		if (content != before) != c.other {
			t.Errorf("%s: it is linked from something else: %v", c.what, content != before)
		}
		if (now != last) != c.other {
			t.Errorf("%s: it is another key: %v", c.what, now != last)
		}
		last = now
	}
}
