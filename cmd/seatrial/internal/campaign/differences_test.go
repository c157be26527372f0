package campaign

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestDifferences: what a finding shows of what was done, and of what is not as expected.
func TestDifferences(t *testing.T) {
	pod := history.Key{Resource: "pods", Namespace: "default", Name: "web-0"}
	secret := history.Key{Resource: "secrets", Namespace: "default", Name: "web"}
	f := &Finding{
		Operations: []*operation.Operation{
			{Name: "more", Changes: []operation.Change{{Path: []any{"spec", "replicas"}, Value: int64(2)}}, Objects: []history.Object{{"kind": "Secret", "metadata": map[string]any{"name": "s"}}}},
			{Name: "no such item", Changes: []operation.Change{{Path: []any{"spec", "replicas", "deep"}, Value: int64(2)}}},
			{Name: "less", Changes: []operation.Change{{Path: []any{"spec", "replicas"}, Remove: true}}},
		},
		Restart: true,
		Deviations: []oracle.Deviation{
			{Oracle: "twin", Object: mapKey, Path: "data.a", Expected: "1", Found: "2", Text: "a is 2"},
			{Oracle: "twin", Object: mapKey, Path: "data.b", Found: "3", Text: "b is 3"},
			{Oracle: "recovery", Object: mapKey, Path: "data.a", Expected: "1", Found: "2", Text: "a is still 2"},
			{Oracle: "twin", Object: pod, Expected: "there", Text: "no pod"},
			{Oracle: "twin", Object: secret, Path: "data.user", Expected: "YQ==", Text: "no user"},
			{Oracle: "twin", Object: secret, Path: "data.key", Expected: "/w==", Found: "/g==", Text: "bytes"},
			{Oracle: "misoperation", Object: pod, Expected: int64(1), Found: int64(0), Text: "an outage"},
			{Oracle: "health", Object: webKey, Text: "not ready"},
			{Oracle: "health", Object: webKey, Text: "not ready"},
		},
	}
	told := func(d []string) string { return strings.Join(d, "|") }
	var applied []string
	for _, d := range f.applied(history.Object{"spec": map[string]any{"replicas": int64(1)}}) {
		applied = append(applied, d.Title+": "+told(d.Lines))
	}
	if want := []string{"the seed is applied: ", "Secret s is applied: ", "more:  spec:|-  replicas: 1|+  replicas: 2", "no such item: ", "less:  spec:|-  replicas: 2", "the operator is killed and started again: "}; !reflect.DeepEqual(applied, want) {
		t.Errorf("applied: %q", applied)
	}
	var compared []string
	for _, d := range f.compared() {
		compared = append(compared, d.Title+" "+told(d.Fields)+": "+told(d.Lines))
	}
	if want := []string{`configmaps default/web data.a|data.b:  data:|-  a: "1"|+  a: "2"|+  b: "3"`, "pods default/web-0 : -# there|+# not there", `secrets default/web stringData.user|data.key:  stringData:|-  user: a| data:|-  key: /w==|+  key: /g==`}; !reflect.DeepEqual(compared, want) {
		t.Errorf("compared: %q", compared)
	}
	if got, want := f.consequences(), []string{"an outage", "not ready"}; !reflect.DeepEqual(got, want) {
		t.Errorf("consequences: %q", got)
	}
}
