package settle

import (
	"context"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/fields"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestFields: a cache chooses by the indexes of its own process, and the API server by what it
// knows.
func TestFields(t *testing.T) {
	indexed := func(mgr ctrl.Manager) error {
		if err := mgr.GetFieldIndexer().IndexField(context.Background(), &corev1.Secret{}, "n", func(o client.Object) []string {
			return []string{o.GetAnnotations()["n"]}
		}); err != nil {
			return err
		}
		return idle(mgr)
	}
	c := idling(Process{Name: "p", Setup: indexed}, Process{Name: "q", Setup: idle})
	x, err := newExplorer(&c)
	if err != nil {
		t.Fatal(err)
	}
	defer x.close()
	s := &stage{t, x, &node{controllers: make([]controllerState, x.controllers)}}
	for _, line := range []string{"create secret x", "create secret y", "change secret y"} {
		s.play(line)
	}
	p := x.free[0]
	for _, test := range []struct {
		process int
		live    bool
		by      string
		want    string
	}{
		{0, false, "n=2", "y"},
		{0, false, "n=3", ""},
		{0, false, "n!=2", "non-exact field matches are not supported by the cache"},
		{0, false, "metadata.name=x", "Index with name field:metadata.name does not exist"},
		{0, true, "metadata.name=x", "x"},
		{0, true, "n=2", "field label not supported: n"},
		{1, false, "n=2", "Index with name field:n does not exist"},
	} {
		p.asking(test.process, looking(func(c *call) answer { return x.read(s.n, test.process, c) }))
		var from client.Reader = p.asks[test.process]
		if test.live {
			from = p.managers[test.process].GetAPIReader()
		}
		var list corev1.SecretList
		got := ""
		if err := from.List(t.Context(), &list, client.InNamespace("default"), client.MatchingFieldsSelector{Selector: fields.ParseSelectorOrDie(test.by)}); err != nil {
			got = err.Error()
		}
		for _, o := range list.Items {
			got += o.Name
		}
		if !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%+v: %s", test, got)
		}
	}
}
