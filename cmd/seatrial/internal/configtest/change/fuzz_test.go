package change

import (
	"bytes"
	"regexp"
	"testing"
)

// fuzz holds what is so of every text: it is read or refused with a line, its lines are those of the
// text, and it differs in nothing from itself.
func fuzz(f *testing.F, name string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	refused := regexp.MustCompile(`^` + regexp.QuoteMeta(name) + `:[1-9][0-9]*: .`)
	f.Fuzz(func(t *testing.T, text []byte) {
		settings, err := Parse(name, text)
		if err != nil {
			if !refused.MatchString(err.Error()) {
				t.Errorf("the error is %v", err)
			}
			return
		}
		last := 1 + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) + bytes.Count(text, []byte("\u0085")) + bytes.Count(text, []byte("\u2028")) + bytes.Count(text, []byte("\u2029"))
		for _, s := range settings {
			if s.Location.Line < 1 || s.Location.Line > last {
				t.Errorf("%s is on line %d of %d", s.Path, s.Location.Line, last)
			}
		}
		if again, err := Parse(name, text); err != nil || len(Between(settings, again)) > 0 {
			t.Errorf("it differs from itself: %v, %v", Between(settings, again), err)
		}
	})
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "a.yaml", "a: &a {b: 1}\nc: *a\nd:\n  <<: *a\n", "a: |\n  x\n---\n- 1\n- b: ~\n", "? [a]\n: b\n")
}

func FuzzManifest(f *testing.F) {
	fuzz(f, "a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  b.toml: |\n    x = 1\n  c.properties: \"a=1\"\n  .env: |2\n      A=1\n",
		"apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - args: [--a, b, -c=d, --, e]\n    env: [{name: A, valueFrom: {fieldRef: {}}}]\n",
		"apiVersion: v1\nkind: Secret\ndata: {a.json: e30=}\n")
}

func FuzzJSON(f *testing.F) { fuzz(f, "a.json", "{\"a\": [1, {\"b\": null}],\n\"c\": true} 1") }

func FuzzTOML(f *testing.F) {
	fuzz(f, "a.toml", "a.b = 1\n[c]\nd = [1, {e = 2}]\n[[f]]\n[f.g]\nh = 1979-05-27\n[[f]]\n")
}

func FuzzProperties(f *testing.F) { fuzz(f, "a.properties", "a = b\\\n c\n! d\ne\\:f:\\u0041\n") }

func FuzzDotenv(f *testing.F) { fuzz(f, "a.env", "export A='b' # c\nD=\"e\\nf\"\nG=h # i\n") }
