package source

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnwritten: a word is written in a module where a text or a comment of its sources has it, and not as a part of
// another one, or in what it has of others.
func TestUnwritten(t *testing.T) {
	module := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.com/a\n",
		"a.go":                "package a\n\n// Key is \"ip\", or global.\nvar Key = \"session\"\n\nfunc f(c config) bool { return c.Size > 0 || 1 > c.Cache.MaxAge || c.Least < 0 }\n\ntype policy int\n\nconst (\n\tOnDropOldest policy = iota\n\tOnDropNewest\n)\n\n// It is to wait for the newest.\nfunc g(c config) { n, _ := c.Burst, cmp.Or(c.Delay, 1); h(n, c.Plain) }\n",
		"b/b_test.go":         "package b\n\nvar key, of = \"header\", o.Most == 0\n",
		"vendor/x/x.go":       "package x\n\nvar key = \"cookie\"\n",
		"deploy/new/app.yaml": "key: client\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(module, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m := Of(module, "example.com/a")
	for word, want := range map[string]bool{"ip": false, "global": false, `"session"`: false, "GLOBAL": false, "header": false, "cookie": true, "client": true, "glob": true, "": false} {
		if got := m.Unwritten(word, ""); got != want {
			t.Errorf("%s: unwritten %t", word, got)
		}
	}
	for word, want := range map[string]bool{"global": false, "is": false, "header": false, "drop-newest": false, "newest": true, "wait": true} {
		if got := m.Unwritten(word, "ip"); got != (want || word == "drop-newest") {
			t.Errorf("%s beside ip: unwritten %t", word, got)
		}
		if got := m.Unwritten(word, "drop_oldest"); got != (want || word == "global" || word == "is") {
			t.Errorf("%s beside drop_oldest: unwritten %t", word, got)
		}
	}
	for text, want := range map[string]bool{"SESSION": true, "ip": false, "header": false, "": false} {
		if got := m.Known(text); got != want {
			t.Errorf("%s: known %t", text, got)
		}
	}
	for name, want := range map[string]bool{"size": true, "--cache-max-age": true, "least": false, "burst": true, "delay": true, "plain": false, "most": false, "key": false} {
		if got := m.Guarded(name); got != want {
			t.Errorf("%s: guarded %t", name, got)
		}
	}
}
