package oracle_test

import (
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestDrawn: names, UIDs and addresses that are drawn are those of what they name, wherever they stand.
func TestDrawn(t *testing.T) {
	cases := []struct {
		name, end, twin string
		want            []string
	}{
		{
			name: "pods of a Deployment, by name in the status",
			end: `{kind: Thing, metadata: {name: a}, status: {pods: [a-77f9-xk2pd]}}
				{kind: Deployment, metadata: {name: a}}
				{kind: ReplicaSet, metadata: {name: a-77f9, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}
				{kind: Pod, metadata: {name: a-77f9-xk2pd, generateName: a-77f9-, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: a-77f9, controller: true}]}}`,
			twin: `{kind: Thing, metadata: {name: a}, status: {pods: [a-5c6d-bbbbb]}}
				{kind: Deployment, metadata: {name: a}}
				{kind: ReplicaSet, metadata: {name: a-5c6d, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}
				{kind: Pod, metadata: {name: a-5c6d-bbbbb, generateName: a-5c6d-, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: a-5c6d, controller: true}]}}`,
		},
		{
			name: "one pod more",
			end: thing + `{kind: Pod, metadata: {name: a-xk2pd, generateName: a-}}
				{kind: Pod, metadata: {name: a-bbbbb, generateName: a-}}`,
			twin: thing + `{kind: Pod, metadata: {name: a-bcdfg, generateName: a-}}`,
			want: []string{"pods default/a-* is there, and is not where the resource was never another"},
		},
		{
			name: "a name that the operator draws, and who refers to it",
			end: thing + `{kind: Secret, metadata: {name: a-tls-x7k2p}, data: {key: YQ==}}
				{kind: Deployment, metadata: {name: a}, spec: {secretName: a-tls-x7k2p}}`,
			twin: thing + `{kind: Secret, metadata: {name: a-tls-9fwq4}, data: {key: YQ==}}
				{kind: Deployment, metadata: {name: a}, spec: {secretName: a-tls-9fwq4}}`,
		},
		{
			name: "names that are words",
			end:  thing + `{kind: Secret, metadata: {name: a-server}}`,
			twin: thing + `{kind: Secret, metadata: {name: a-client}}`,
			want: []string{
				"secrets default/a-client is missing, and is there where the resource was never another",
				"secrets default/a-server is there, and is not where the resource was never another",
			},
		},
		{
			name: "UIDs and addresses in fields of others",
			end: `{kind: Thing, metadata: {name: a, uid: 11111111-2222-3333-4444-555555555555}, status: {address: "10.0.0.7:80"}}
				{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.0.0.7}}
				{kind: ConfigMap, metadata: {name: a}, data: {config: "id=11111111-2222-3333-4444-555555555555\nhost=10.0.0.7"}}`,
			twin: `{kind: Thing, metadata: {name: a, uid: 99999999-2222-3333-4444-555555555555}, status: {address: "10.0.0.1:80"}}
				{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.0.0.1}}
				{kind: ConfigMap, metadata: {name: a}, data: {config: "id=99999999-2222-3333-4444-555555555555\nhost=10.0.0.1"}}`,
		},
		{
			name: "another one of two addresses",
			end: `{kind: Thing, metadata: {name: a}, status: {address: 10.0.0.7}}
				{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.0.0.7}}
				{kind: Service, metadata: {name: b}, spec: {clusterIP: 10.0.0.8}}`,
			twin: `{kind: Thing, metadata: {name: a}, status: {address: 10.0.0.2}}
				{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.0.0.1}}
				{kind: Service, metadata: {name: b}, spec: {clusterIP: 10.0.0.2}}`,
			want: []string{`status.address of things.example.com default/a is "(address of services/default/a)", and "(address of services/default/b)" where the resource was never another`},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { hold(t, "twin", twins(t, property("spec.size"), "", c.end, c.twin, ""), c.want) })
	}
}

// TestLearn: what differs between two runs of the seed is a mask, with which nothing differs.
func TestLearn(t *testing.T) {
	a := quiet(t, nil, "", thing+"{kind: Secret, metadata: {name: a, uid: u1}, data: {password: YQ==}}\n{kind: ConfigMap, metadata: {name: a}, data: {list: [1, x]}}")
	b := quiet(t, nil, "", thing+"{kind: Secret, metadata: {name: a, uid: u2}, data: {password: Yg==}}\n{kind: ConfigMap, metadata: {name: a}, data: {list: [1]}}")
	mask := history.DefaultMask()
	learned := oracle.Learn(key, mask, a, b)
	if want := []string{"configmaps:data.list[*]", "~secrets:data.password"}; !slices.Equal(learned, want) {
		t.Errorf("got %q, want %q", learned, want)
	}
	mask, err := mask.With(learned...)
	if err != nil {
		t.Fatal(err)
	}
	if left := oracle.Learn(key, mask, a, b); len(left) > 0 {
		t.Errorf("it is not all: %q", left)
	}
}
