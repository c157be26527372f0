package value

import "testing"

// TestHarmless: what says where something is, or to whom it goes, stays the test's.
func TestHarmless(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"server.read_timeout", "5s", true},
		{"retry.factor", "1.5", true},
		{"--balance", "least-conn", true},
		{"GATE_TRUST_PROXY", "true", true},
		{"max_body", "10Mi", true},
		{"smtp.port", "587", false},
		{"--listen", "8443", false},
		{"DB_HOST", "orders", false},
		{"upstream", "orders", false},
		{"adminPort", "1", false},
		{"target", "https://a.example", false},
		{"target", "a.example", false},
		{"to", "a@example", false},
		{"spool", "/var/spool", false},
		{"routes", "[1]", false},
	} {
		if got := Harmless(c.name, c.value); got != c.want {
			t.Errorf("%s: %s is harmless: %v", c.name, c.value, got)
		}
	}
}

// TestIdentity: what one of several is called.
func TestIdentity(t *testing.T) {
	for name, want := range map[string]bool{"name": true, "node.nodeName": true, "MEMBER_ID": true, "--hostname": true, "tier": false, "zone": false, "nameSpace": false, "id.format": false, "": false} {
		if got := Identity(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
