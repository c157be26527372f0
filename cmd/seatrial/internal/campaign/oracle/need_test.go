package oracle_test

import (
	"fmt"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestNeeds: what pods wait for is a need where the resource names it, and nobody made it.
func TestNeeds(t *testing.T) {
	pod := func(spec string) string {
		return "{kind: Pod, metadata: {name: a-0}, spec: " + spec + ", status: {conditions: [{type: Ready, status: 'False'}]}}\n"
	}
	env := func(of string) string {
		return pod("{containers: [{name: a, env: [{name: USER, valueFrom: " + of + "}]}]}")
	}
	for _, c := range []struct {
		name, state string
		want        string
	}{
		{"a key in the environment", env("{secretKeyRef: {name: access, key: user}}"), "[{Secret default access [user]}]"},
		{"of a ConfigMap", env("{configMapKeyRef: {name: access, key: user}}"), "[{ConfigMap default access [user]}]"},
		{"all of it", pod("{containers: [{name: a, envFrom: [{secretRef: {name: access}}]}]}"), "[{Secret default access []}]"},
		{"files", pod("{volumes: [{name: v, secret: {secretName: access, items: [{key: tls.pem, path: x}]}}]}"), "[{Secret default access [tls.pem]}]"},
		{"two keys, in order", pod("{containers: [{name: a, env: [{valueFrom: {secretKeyRef: {name: access, key: user}}}, {valueFrom: {secretKeyRef: {name: access, key: code}}}]}]}"), "[{Secret default access [code user]}]"},
		{"which they can be without", env("{secretKeyRef: {name: access, key: user, optional: true}}"), "[]"},
		{"that the resource does not name", env("{secretKeyRef: {name: a-access, key: user}}"), "[]"},
		{"that is there", env("{secretKeyRef: {name: access, key: user}}") + "{kind: Secret, metadata: {name: access}}\n", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := quiet(t, nil, "", "{kind: Thing, metadata: {name: a}, spec: {from: {secret: access}}}\n"+c.state).End
			if got := fmt.Sprint(oracle.Needs(s, s[key])); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
