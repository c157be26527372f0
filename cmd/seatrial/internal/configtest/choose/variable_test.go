package choose

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestVariablesOfAnObject: a key of a ConfigMap that is called as a variable is that, also if fields without a tag have
// the names of its keys: these are made of the variables. In a file that it holds a key is one of the file.
func TestVariablesOfAnObject(t *testing.T) {
	m := &parameter.Map{
		Types: []parameter.ID{"field:Config"},
		Parameters: []parameter.Class{
			{ID: "env:PORT", Aliases: []parameter.ID{"field:Config.Port"}}, {ID: "env:WORKERS", Aliases: []parameter.ID{"field:Config.Workers"}}, {ID: "field:Config.Timeout"},
		},
	}
	of := func(data string) []change.Setting {
		out, err := change.Parse("cm.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: shop}\ndata:\n"+data))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, tc := range []struct {
		before, after string
		want          map[string][]parameter.ID
	}{
		{
			"  PORT: '80'\n  WORKERS: '4'\n  TIMEOUT: 3s\n", "  PORT: '81'\n  WORKERS: '5'\n  TIMEOUT: 4s\n",
			map[string][]parameter.ID{"PORT": {"env:PORT"}, "WORKERS": {"env:WORKERS"}, "TIMEOUT": {"field:Config.Timeout"}},
		},
		{
			"  app.yaml: |\n    PORT: 80\n    WORKERS: 4\n", "  app.yaml: |\n    PORT: 81\n    WORKERS: 5\n",
			map[string][]parameter.ID{"PORT": {"field:Config.Port"}, "WORKERS": {"field:Config.Workers"}},
		},
	} {
		before, after := of(tc.before), of(tc.after)
		for _, c := range Link(m, change.Between(before, after), before, after) {
			if !slices.Equal(c.IDs, tc.want[c.Path]) {
				t.Errorf("%s of %q is %v, want %v", c.Path, tc.after, c.IDs, tc.want[c.Path])
			}
		}
	}
}

// TestHandedVariables: a variable that only an argument has the value of is what the argument says. One that the code
// reads, too, or that no argument has, is a change of its own.
func TestHandedVariables(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--port"}, {ID: "env:LEVEL"}}}
	of := func(port, level, other string) []change.Setting {
		out, err := change.Parse("pod.yaml", []byte(`apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: app
    args: ["--port=$(PORT)", "--level=$(LEVEL)", "--text=$$(OTHER)"]
    env: [{name: PORT, value: "`+port+`"}, {name: LEVEL, value: `+level+`}, {name: OTHER, value: `+other+`}]
`))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before, after := of("80", "info", "a"), of("81", "warn", "b")
	var got []string
	for _, c := range Link(m, change.Between(before, after), before, after) {
		got = append(got, c.Path)
	}
	slices.Sort(got)
	if want := []string{"--level", "--port", "LEVEL", "OTHER"}; !slices.Equal(got, want) {
		t.Errorf("the changes are %q, want %q", got, want)
	}
}
