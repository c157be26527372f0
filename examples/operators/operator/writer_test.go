package operator

import (
	"maps"
	"testing"
)

// TestAnnotations: what the operator gave a child is taken back, and what others gave it
// stays.
func TestAnnotations(t *testing.T) {
	type all = map[string]string
	for _, test := range []struct {
		what               string
		live, wanted, want all
	}{
		{"nothing", nil, nil, all{}},
		{"a new one", nil, all{"a": "1"}, all{"a": "1", record: "a"}},
		{"taken back", all{"a": "1", record: "a"}, nil, all{}},
		{"changed", all{"a": "1", "b": "1", record: "a,b"}, all{"b": "2"}, all{"b": "2", record: "b"}},
		{"of others", all{"x": "1", "a": "1", record: "a"}, nil, all{"x": "1"}},
		{"of others, and wanted", all{"x": "1"}, all{"x": "2"}, all{"x": "2", record: "x"}},
	} {
		if got := Annotations(test.live, test.wanted); !maps.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
}

// TestAddLabels: a user's labels do not take the place of the operator's.
func TestAddLabels(t *testing.T) {
	labels := map[string]string{"own": "1"}
	AddLabels(labels, map[string]string{"own": "2", "more": "3"})
	if want := (map[string]string{"own": "1", "more": "3"}); !maps.Equal(labels, want) {
		t.Errorf("%v, want %v", labels, want)
	}
}
