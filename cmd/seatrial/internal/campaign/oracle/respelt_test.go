package oracle_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
)

// TestRespelt: what says the same in another form is followed as before; who hands on the text changes that.
func TestRespelt(t *testing.T) {
	const seed = "{kind: Thing, metadata: {name: a}, spec: {memory: 1536Mi}}\n{kind: ConfigMap, metadata: {name: a}, data: {max: '1207959552'}}\n{kind: Deployment, metadata: {name: a}, spec: {template: {metadata: {annotations: {sum: 6b86b273ff34fce1}}}}}\n"
	const says = "data.max of configmaps default/a changes, and the resource says the same as before in another form (1536Mi, 1.50Gi)"
	for _, c := range []struct {
		name, what, to string
		change         []string
		want           []string
	}{
		{"as before", "the same with a point", "1.50Gi", nil, nil},
		{"another value", "the same with a point", "1.50Gi", []string{"'1207959552'", "'0'"}, []string{says}},
		{"the text itself, with a sum of it", "the same with a point", "1.50Gi", []string{"'1207959552'", "1.50Gi", "sum: 6b86b273ff34fce1", "sum: d4735e3a265e16ee"}, nil},
		{"the text in a Secret", "the same with a point", "1.50Gi", []string{"{kind: ConfigMap, metadata: {name: a}, data: {max: '1207959552'}}", "{kind: Secret, metadata: {name: a}, data: {max: MS41MEdp}}"}, nil},
		{"a sum of the text alone", "the same with a point", "1.50Gi", []string{"sum: 6b86b273ff34fce1", "sum: d4735e3a265e16ee"}, nil},
		{"a quantity of Kubernetes", "the same with a point", "1.50Gi", []string{"annotations: {sum: 6b86b273ff34fce1}}", "annotations: {sum: 6b86b273ff34fce1}}, spec: {containers: [{name: a, resources: {limits: {memory: 1.50Gi}}}]}"}, nil},
		{"behind something else that was left out", "the same with a point", "1.6Gi", []string{"'1207959552'", "'0'"}, nil},
		{"another quantity", "twice as much", "3Gi", []string{"'1207959552'", "'0'"}, nil},
	} {
		end := strings.NewReplacer(append([]string{"1536Mi", c.to}, c.change...)...).Replace(seed)
		o := &operation.Operation{Property: "spec.memory", Case: c.what, Changes: []operation.Change{{Path: []any{"spec", "memory"}, Value: c.to}}}
		t.Run(c.name, func(t *testing.T) { hold(t, "consistency", caseOf(t, o, seed, end), c.want) })
	}
}
