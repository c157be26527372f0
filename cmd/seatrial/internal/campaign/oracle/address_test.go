package oracle_test

import "testing"

// TestAddressed: which address a Service has is chance, and that it has none is not; nor is a port of nodes that the
// resource asks for.
func TestAddressed(t *testing.T) {
	service := func(address, port string) string {
		return "{kind: Service, metadata: {name: a}, spec: {clusterIP: " + address + ", ports: [{port: 80, nodePort: " + port + "}]}}"
	}
	of := func(port string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {nodePort: " + port + "}}\n"
	}
	for _, c := range []struct {
		name, asked, end, twin string
		want                   []string
	}{
		{"another address", "1", service("10.0.0.1", "30001"), service("10.0.0.2", "30002"), nil},
		{"none is to be there", "1", service("10.0.0.1", "30001"), service("None", "30002"), []string{`spec.clusterIP of services default/a is "(address of services/default/a)", and "None" where the resource was never another`}},
		{"there is none in both", "1", service("None", "30001"), service("None", "30002"), nil},
		{"a port that was asked for", "30002", service("10.0.0.1", "30001"), service("10.0.0.2", "30002"), []string{"spec.ports[80].nodePort of services default/a is 30001, and 30002 where the resource was never another"}},
		{"a port that is not asked for any more", "30003", service("10.0.0.1", "30001"), service("10.0.0.2", "30002"), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			hold(t, "twin", twins(t, property("spec.nodePort"), of("1")+c.twin, of(c.asked)+c.end, of(c.asked)+c.twin, ""), c.want)
		})
	}
}
