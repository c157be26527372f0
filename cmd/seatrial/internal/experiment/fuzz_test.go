package experiment

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// FuzzParse: errors are lines that begin with the file, and what is read is the
// same when a plan has kept it.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", everything, head + "steps: [run: [a]]", head + "steps: &s [*s]", head + "setup: none.yaml", head + "steps: [{wait: {until: '1 +'}}]",
		head + "---\n", head + "metadata: {<<: {name: a}}\nsteps: [apply: 2026-01-01]", head + "plane: !!binary x",
	} {
		f.Add([]byte(seed))
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.ContainsAny(string(data), "/~") {
			return // files of the machine
		}
		e, err := Parse("web.yaml", "web", folder, data)
		if err != nil {
			for line := range strings.Lines(err.Error()) {
				if !strings.HasPrefix(line, "web.yaml:") {
					t.Errorf("%q", err)
				}
			}
			return
		}
		text, err := yaml.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var again Experiment
		if err := yaml.UnmarshalStrict(text, &again); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := again.Prepare(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		second, err := yaml.Marshal(&again)
		if err != nil || string(second) != string(text) {
			t.Errorf("%v\n%s\n%s", err, text, second)
		}
		for i := range e.Steps {
			_ = e.Steps[i].String()
		}
	})
}

// FuzzParseReference: what is read is written so that the same is read.
func FuzzParseReference(f *testing.F) {
	for _, seed := range []string{"pods default/web-0", "nodes a", "a.b-c a/b", "pods /a", "", "a\x00 b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseReference(text)
		if err != nil {
			return
		}
		if again, err := ParseReference(r.String()); err != nil || again != r {
			t.Errorf("%q: %+v, and then %+v, %v", text, r, again, err)
		}
	})
}

// FuzzCompile: expressions end, in one line if it is an error.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"true", "object.a.b == 1", "objects['pods'].all(p, p.x)", "'a'.matches('(a+)+b')", "[1].map(x, [x]).size()", "\"\\n\" == 'a'", "1 +\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Compile(text)
		if err == nil {
			_, err = c.Holds(nil, nil)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}
