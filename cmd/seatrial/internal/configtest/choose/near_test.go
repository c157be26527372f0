package choose

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestStrangeFlag: a flag that is not known stands for one that is gone from there, if it is called nearly the same.
// Any other one a library may have.
func TestStrangeFlag(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "flag:--max-loss"}, {ID: "flag:--streams"}}}
	parse := func(args string) []change.Setting {
		settings, err := change.Parse("c.yaml", []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a, args: ["+args+"]}]}}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	for after, want := range map[string]bool{
		"--maxloss=1, --streams=2":                true,
		"--streams=2, --max-lost=1":               true,
		"--streams=2, --maxLoss=1":                true,
		"--streams=2, --zap-level=1":              false,
		"--max-loss=1, --streams=2, --max-lass=1": false,
	} {
		before := parse("--max-loss=1, --streams=2")
		settings := parse(after)
		strange := false
		for _, c := range Link(m, change.Between(before, settings), before, settings) {
			strange = strange || c.Strange
		}
		if strange != want {
			t.Errorf("%s: %v", after, strange)
		}
	}
}
