package oracle_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestLines: of a text of several lines it is said in which it differs, by what they begin with.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, found, expected string
		want                  []string
	}{
		{"one line", "port: 80", "port: 81", nil},
		{"two of three", "a = 1\\nb = 2\\nc = 3\\n", "a = 1\\nb = 3\\nc = 4\\n", []string{"b", "c"}},
		{"one that is not there", "a: 1\\nb: 2\\n", "a: 1\\n", []string{"b"}},
		{"one that is there once more", "- a: 1\\n- a: 1\\n", "- a: 1\\n", []string{"a"}},
		{"an object of JSON", `{\"a\":1,\"b\":{\"c\":2}}`, `{\"a\":1,\"b\":{\"c\":3}}`, []string{"c"}},
		{"what has no name", "a: 1\\n10.0.0.1\\n", "a: 1\\n10.0.0.2\\n", nil},
		{"a name that was drawn", "a: 1\\nst-p1-o1: 1\\n", "a: 1\\nst-p1-o2: 1\\n", nil},
		{"very many", "a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\ni\\n", "x\\n", nil},
	} {
		for _, kind := range []string{"ConfigMap", "Secret"} {
			of := func(text string) string {
				value := `"` + text + `"`
				if kind == "Secret" {
					var plain string
					if _, err := fmt.Sscanf(value, "%q", &plain); err != nil {
						t.Fatal(err)
					}
					value = base64.StdEncoding.EncodeToString([]byte(plain))
				}
				return thing + "{kind: " + kind + ", metadata: {name: a}, data: {app.conf: " + value + "}}"
			}
			k := twins(t, property("spec.size"), "", of(c.found), of(c.expected), "")
			found := oracle.Judge(k, only("twin"))
			if len(found) != 1 || !slices.Equal(found[0].Lines, c.want) {
				t.Errorf("%s of a %s: %+v, want %q", c.name, kind, found, c.want)
			}
		}
	}
}
