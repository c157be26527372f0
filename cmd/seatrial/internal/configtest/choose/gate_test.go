package choose

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestGates: each gate of a flag is a change of its own, and a gate of a file is what code asks for; a flag with other
// values is one.
func TestGates(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--labels"}, {ID: "feature:Fast"}, {ID: "feature:Safe"}}}
	settings := func(arguments, gate string) []change.Setting {
		t.Helper()
		text := fmt.Sprintf("kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    args: [%s]\n---\nkind: ConfigMap\napiVersion: v1\nmetadata: {name: b}\ndata:\n  config.yaml: |\n    featureGates: {Safe: %s}\n", arguments, gate)
		out, err := change.Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	before := settings(`"--feature-gates=Fast=false,Other=true", "--labels=a=b"`, "false")
	after := settings(`"--feature-gates=Fast=true,Other=true,Gone=true", "--labels=a=c"`, "true")
	var got []string
	for _, c := range Link(m, change.Between(before, after), before, after) {
		value := func(v *string) string {
			if v == nil {
				return "none"
			}
			return *v
		}
		of := parameter.ID("nothing")
		if c.Class != nil {
			of = c.Class.ID
		}
		got = append(got, fmt.Sprintf("%s is %s: %s to %s", c.Path, of, value(c.Old), value(c.New)))
	}
	want := []string{
		"--feature-gates Fast is feature:Fast: false to true",
		"--feature-gates Gone is nothing: none to true",
		"--labels is flag:--labels: a=b to a=c",
		"featureGates.Safe is feature:Safe: false to true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the changes (-want +got):\n%s", diff)
	}
}
