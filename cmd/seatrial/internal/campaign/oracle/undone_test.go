package oracle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestRefusedWrite: what a write that the API server refuses leaves undone is no cause of its own, however the operator
// says so; what the refusal is not about is one.
func TestRefusedWrite(t *testing.T) {
	const (
		forbidden = "StatefulSet.apps %[1]sa%[1]s is invalid: spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template' and 'minReadySeconds' are forbidden"
		before    = "{kind: StatefulSet, metadata: {name: a}, spec: {podManagementPolicy: Parallel, template: {x: 1}}}\n{kind: Service, metadata: {name: a}, spec: {type: A}}\n"
		twin      = "{kind: StatefulSet, metadata: {name: a}, spec: {podManagementPolicy: OrderedReady, template: {x: 2}}}\n{kind: Service, metadata: {name: a}, spec: {type: B}}\n"

		policy, template, service = "spec.podManagementPolicy", "spec.template.x", "spec.type"
	)
	for _, c := range []struct {
		name, status, output string
		failing              []string
		want                 []string // the fields that lead groups
	}{
		{"nobody says so", "{}", "", nil, []string{service, policy, template}},
		{"its status", "{message: '" + strings.ReplaceAll(fmt.Sprintf(forbidden, `"`), "'", "''") + "'}", "", nil, []string{service, policy}},
		{"its log", "{}", `{"error":"` + fmt.Sprintf(forbidden, `\"`) + `"}`, nil, []string{service, policy}},
		{"it goes on failing", "{}", `{"error":"` + fmt.Sprintf(forbidden, `\"`) + `"}`, []string{"thing"}, []string{policy}},
		{"of another object", "{}", `StatefulSet.apps "b" is invalid: spec: Forbidden: updates`, []string{"thing"}, []string{service, policy, template}},
		{"of another field", "{}", `StatefulSet.apps "a" is invalid: spec.serviceName: Invalid value: "": no`, []string{"thing"}, []string{service, policy, template}},
		{"of a part", "{}", `StatefulSet.apps "a" is invalid: spec.template: Invalid value: "": no`, nil, []string{service, template}},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := quiet(t, &operation.Operation{Property: "spec.size"}, thing+before, "{kind: Thing, metadata: {name: a}, spec: {size: 1}, status: "+c.status+"}\n"+before)
			last.Output, last.Rest.Failing = c.output, c.failing
			k := &oracle.Case{Steps: []*oracle.Step{quiet(t, nil, "", thing+before), last}, Key: key}
			k.Twin = quiet(t, nil, "", thing+twin)
			k.Twice = k.Twin
			var got []string
			for _, g := range oracle.Root(oracle.Judge(k, func(name string) bool { return name != "twin" }), "spec.size") {
				if g.Lead.Object != key {
					got = append(got, g.Lead.Path)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestQuoted: an operator that quotes the API server's refusal has tried, and does not decline, whatever else its
// status says of that.
func TestQuoted(t *testing.T) {
	const (
		refused = `'Deployment.apps "a" is invalid: spec.strategy.rollingUpdate: Forbidden: may not be specified'`
		applied = "{kind: Thing, metadata: {name: a}, spec: {size: 2}, status: {conditions: [{type: Accepted, status: 'True'}]}}\n"
	)
	of := func(accepted, available string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {size: 2}, status: {conditions: [{type: Accepted, status: 'False', message: " + accepted + "}, {type: Available, status: 'True', message: " + available + "}]}}\n"
	}
	for _, c := range []struct {
		accepted, available string
		want                oracle.Answer
	}{
		{refused, "the spec is not applied", oracle.Accepted},
		{"no", "the spec is not applied", oracle.Declined},
		{"'the size cannot be changed'", "the spec is not applied", oracle.Declined},
	} {
		k := twins(t, property("spec.size"), thing, of(c.accepted, c.available), applied, "")
		if got := k.Answer(); got != c.want {
			t.Errorf("%s: %s, want %s", c.accepted, got, c.want)
		}
	}
}
