package kubestate

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestNulls creates and changes what the transcripts create, with each of its fields set
// to null: it is refused or accepted, and nothing breaks.
func TestNulls(t *testing.T) {
	server := newTestServer(t)
	paths, err := filepath.Glob("testdata/kinds/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	tried := 0
	for _, path := range paths {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			r := kindRequest(t, d)
			if r.Verb != "create" || r.Subresource != "" || kindNamed(r.Resource.Resource) == nil {
				return d.Expected
			}
			state, _ := server.Do(State{}, r)
			var body map[string]any
			if err := json.Unmarshal(r.Body, &body); err != nil {
				t.Fatal(err)
			}
			nulls(body, func() {
				other := *r
				if other.Body, err = json.Marshal(body); err != nil {
					t.Fatal(err)
				}
				try(t, server, State{}, &other)
				for _, subresource := range []string{"", "status"} {
					other.Verb, other.Patch, other.Name, other.Subresource = "patch", "application/merge-patch+json", nameIn(body), subresource
					try(t, server, state, &other)
				}
				tried++
			})
			return d.Expected
		})
	}
	if tried < 500 {
		t.Errorf("only %d fields", tried)
	}
}

func nameIn(body map[string]any) string {
	meta, _ := body["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	return name
}

func try(t *testing.T, server *Server, state State, r *Request) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s %s: %v", r.path(), r.Body, p)
		}
	}()
	if _, a := server.Do(state, r); a.Code >= 500 {
		t.Errorf("%s %s: %d %s", r.path(), r.Body, a.Code, a.Body)
	}
}

// nulls calls f for each field in v, with that set to null.
func nulls(v any, f func()) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range sorted(v) {
			old := v[k]
			if k == "kind" || k == "apiVersion" || old == nil {
				continue
			}
			v[k] = nil
			f()
			v[k] = old
			nulls(old, f)
		}
	case []any:
		for _, m := range v {
			nulls(m, f)
		}
	}
}
