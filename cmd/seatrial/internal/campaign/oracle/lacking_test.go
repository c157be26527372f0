package oracle_test

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestLacking: what the operator said for want of an object does not excuse that nothing comes of it when the object is
// made; what it says of what cannot work may be so behind it, too.
func TestLacking(t *testing.T) {
	const says = "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: {message: the certificate is not supported}}\n"
	const service = "{kind: Service, metadata: {name: a}, spec: {type: ClusterIP}}\n"
	for _, c := range []struct {
		name  string
		lacks bool
		want  []string
	}{
		{"it was not there", true, []string{
			"services default/a is missing, and is there where the resource was never another",
			`status.message of things.example.com default/a is "the certificate is not supported", and not there where the resource was never another`,
		}},
		{"it could not work", false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			wrong := quiet(t, &operation.Operation{Property: "spec.secret", Misoperation: true, Lacks: c.lacks}, thing, says)
			last := quiet(t, &operation.Operation{Property: "spec.secret", Content: c.lacks}, says, says)
			k := &oracle.Case{Steps: []*oracle.Step{quiet(t, nil, "", thing), wrong, last}, Mask: history.DefaultMask(), Key: key}
			k.Twin = quiet(t, nil, "", thing+service)
			k.Twice = k.Twin
			hold(t, "twin", k, c.want)
		})
	}
}
