package change

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestWrite: a file that is written with another value says that, and all else that it said.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		name, text, path, value string
		want                    string // of the settings that are read again; empty for those of before
	}{
		{"a.yaml", "# ours\na: &x {b: 1, c: 5s}\nd: *x\nlist:\n- n: 1\n- n: yes\n", "a.c", `"7s"`, "a.b=1 a.c=7s d.b=1 d.c=5s list[0].n=1 list[1].n=yes"},
		{"a.yaml", "list:\n- n: 1\n- n: 2\n", "list[1].n", `null`, "list[0].n=1 list[1].n=null"},
		{"a.yml", "a: {b: 1}\nc: 1\n", "a", `{"b":2,"e":[]}`, "a.b=2 a.e=[] c=1"},
		{"a.yml", "a: {b: 1}\nc: \"1\"\n", "a.b", ``, "c=1"},
		{"a.json", `{"port": 8080, "hosts": ["x"]}`, "port", `"many"`, "hosts=[\"x\"] port=many"},
		{"a.toml", "n = 3\nf = 0.5\n[s]\nname = 'x'\n[[t]]\nk = true\n", "s.name", `"y"`, "f=0.5 n=3 s.name=y t[0].k=true"},
		{"a.toml", "n = 3\n", "n", `-4.5`, "n=-4.5"},
		{"a.properties", "a.b=1\nc=x\\ny\n", "a.b", `"2"`, "a.b=2 c=x\ny"},
		{"a.ini", "a=1\n", "a", `"2"`, "a.ini: a file of this format is not written"},
	} {
		settings, err := Parse(strings.Replace(c.name, ".ini", ".properties", 1), []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		text, err := Write(c.name, settings, "", Identity{Kind: Key, Path: c.path}.Steps(), json.RawMessage(c.value))
		if c.value == "" {
			text, err = Write(c.name, settings, "", Identity{Kind: Key, Path: c.path}.Steps(), nil)
		}
		if err != nil {
			got = err.Error()
		} else if settings, err = Parse(c.name, text); err != nil {
			t.Fatalf("%s: %v", text, err)
		} else {
			var all []string
			for _, s := range settings {
				all = append(all, s.Path+"="+s.Value.Reveal())
			}
			slices.Sort(all)
			got = strings.Join(all, " ")
		}
		if got != c.want {
			t.Errorf("%s with %s at %s says %s, want %s", c.text, c.value, c.path, got, c.want)
		}
	}
}
