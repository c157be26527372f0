package change

import (
	"fmt"
	"testing"
)

// TestExpanded: what a variable of another object says is not known, and neither is what all variables of one may say. A variable that there is not stays as it is written, and a
// secret is one wherever it is said.
func TestExpanded(t *testing.T) {
	of := func(text string) map[string]Value {
		settings, err := Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]Value{}
		for _, s := range settings {
			out[s.Path] = s.Value
		}
		return out
	}
	const args = `--db=$(DB), --from=$(FROM), --from, x, --dsn=u:$(PASSWORD)@h, "$(DB)", $(PORT)`
	for name, c := range map[string]struct {
		text string
		from Type
	}{
		"with others": {fmt.Sprintf(containing, args, `8080"}, {name: PASSWORD, value: "hunter2`), Reference},
		"all there":   {"apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    args: [/app, " + args + "]\n    env: [{name: PORT, value: '8080'}, {name: PASSWORD, value: hunter2}, {name: DB, valueFrom: {secretKeyRef: {name: x, key: url}}}]\n", List},
	} {
		got := of(c.text)
		for path, want := range map[string]Type{"--db": Reference, "--from": c.from, "--dsn": Text, "[1]": Reference, "[2]": Text} {
			if got[path].Type != want {
				t.Errorf("%s: %s is a %s, want a %s", name, path, got[path].Type, want)
			}
		}
		if !got["--dsn"].Secret || got["[2]"].Reveal() != "8080" {
			t.Errorf("%s: %v, %v", name, got["--dsn"], got["[2]"])
		}
	}
}
