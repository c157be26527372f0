package apply

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
)

// FuzzThreeWay looks for input, which comes from users' files and annotations,
// that makes the merge panic rather than fail.
func FuzzThreeWay(f *testing.F) {
	good := manifest(`"replicas":2,`, `"env":[{"name":"A","value":"1"}],`)
	f.Add(good, good, manifest("", ""))
	f.Add("", "", good)
	f.Add(good, "", good)
	f.Add(good, `{"spec":{"template":{"spec":{"containers":[{"name":"web","ports":[{"containerPort":1}]}]}}}}`, good)
	f.Add(good, `{"spec":{"template":null,"strategy":{"$patch":"replace"}}}`, good)
	f.Add(good, `{"metadata":{"annotations":[]},"spec":[]}`, good)
	f.Add(good, good, `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"template":{"spec":{"containers":[1,null,{}]}}}}`)
	f.Add(good, good, `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"$setElementOrder/x":[],"$deleteFromPrimitiveList/y":3}}`)
	f.Add(good, `{"metadata":{"labels":[null]}}`, good)
	f.Add(good, good, `{"apiVersion":"apps/v1","kind":"Deployment","spec":{"template":{"spec":{"containers":[{"name":[null]}]}}}}`)
	f.Fuzz(func(t *testing.T, current, lastApplied, manifest string) {
		result, err := ThreeWay([]byte(current), []byte(lastApplied), []byte(manifest), &appsv1.Deployment{})
		if (err == nil) == (len(result) == 0) {
			t.Errorf("result %q, error %v", result, err)
		}
	})
}
