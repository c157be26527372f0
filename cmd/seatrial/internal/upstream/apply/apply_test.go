package apply

import (
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// manifest is a Deployment with the given members added to its spec and to its
// one container.
func manifest(spec, container string) string {
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"ns"},"spec":{` + spec +
		`"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web",` + container +
		`"image":"web:1"}]}}}}`
}

// applied is the Deployment that a first apply of the manifest leaves.
func applied(t *testing.T, manifest string) *appsv1.Deployment {
	t.Helper()
	result, err := ThreeWay(nil, nil, []byte(manifest), &appsv1.Deployment{})
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, result)
}

func decode(t *testing.T, content []byte) *appsv1.Deployment {
	t.Helper()
	d := &appsv1.Deployment{}
	if err := utiljson.Unmarshal(content, d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestReplicasUnderApply(t *testing.T) {
	// CreateThreeWayMergePatch (apimachinery strategicpatch) deletes what
	// last-applied has and the manifest has not; SetDefaults_Deployment
	// (pkg/apis/apps/v1/defaults.go) then gives 1.
	with, without := manifest(`"replicas":5,`, ""), manifest("", "")
	for _, row := range []struct {
		name, last, next  string
		from, first, same int32
	}{
		{"set again", with, with, 8, 5, 5},
		{"newly set", without, with, 8, 5, 5},
		{"never set", without, without, 8, 8, 5},
		{"taken out", with, without, 8, 1, 1},
		{"set to null", with, manifest(`"replicas":null,`, ""), 8, 1, 1},
		{"never applied, not set", "", without, 8, 8, 5},
		{"never applied, set", "", with, 8, 5, 5},
	} {
		t.Run(row.name, func(t *testing.T) {
			current := applied(t, without)
			if row.last == "" {
				delete(current.Annotations, corev1.LastAppliedConfigAnnotation)
			} else {
				current = applied(t, row.last)
			}
			next, err := Replicas(current, []byte(row.next))
			if err != nil {
				t.Fatal(err)
			}
			if got := next(row.from); got != row.first {
				t.Errorf("%d becomes %d, want %d", row.from, got, row.first)
			}
			if got := next(5); got != row.same {
				t.Errorf("5 becomes %d, want %d", got, row.same)
			}
		})
	}
}

func TestApplyKeepsWhatOthersWrote(t *testing.T) {
	current := applied(t, manifest(`"replicas":2,`, `"env":[{"name":"A","value":"1"},{"name":"B","value":"2"}],`))
	current.Annotations["other"] = "kept"
	current.Spec.Template.Spec.Containers = append(current.Spec.Template.Spec.Containers, corev1.Container{Name: "sidecar", Image: "sidecar:1"})
	content, err := utiljson.Marshal(current)
	if err != nil {
		t.Fatal(err)
	}
	next := manifest("", `"env":[{"name":"B","value":"3"}],`)
	result, err := ThreeWay(content, []byte(current.Annotations[corev1.LastAppliedConfigAnnotation]), []byte(next), &appsv1.Deployment{})
	if err != nil {
		t.Fatal(err)
	}
	d := decode(t, result)
	containers := d.Spec.Template.Spec.Containers
	if len(containers) != 2 || len(containers[0].Env) != 1 || containers[0].Env[0].Value != "3" {
		t.Errorf("containers %+v", containers)
	}
	if *d.Spec.Replicas != 1 || d.Annotations["other"] != "kept" {
		t.Errorf("replicas %d, annotations %v", *d.Spec.Replicas, d.Annotations)
	}
	last := d.Annotations[corev1.LastAppliedConfigAnnotation]
	if !strings.HasPrefix(last, `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"annotations":{},"name":"web"`) || !strings.HasSuffix(last, "}\n") {
		t.Errorf("last-applied %q", last)
	}
}

func TestASecondApplyChangesNothing(t *testing.T) {
	first := applied(t, manifest(`"replicas":2,`, ""))
	content, err := utiljson.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ThreeWay(content, []byte(first.Annotations[corev1.LastAppliedConfigAnnotation]), []byte(manifest(`"replicas":2,`, "")), &appsv1.Deployment{})
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(content) {
		t.Errorf("first  %s\nsecond %s", content, again)
	}
}

func TestMalformedInputIsAnError(t *testing.T) {
	good := manifest("", "")
	for name, in := range map[string][3]string{
		"manifest":            {"", "", "{"},
		"manifest not object": {"", "", "[]"},
		"manifest of no kind": {"", "", "{}"},
		"metadata not object": {"", "", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":3}`},
		"current":             {"{", "", good},
		"last applied":        {good, "[", good},
		"no merge key":        {good, good, strings.Replace(good, `"name":"web",`+`"image"`, `"image"`, 1)},
		"wrong type":          {"", "", manifest(`"replicas":"x",`, "")},
	} {
		if result, err := ThreeWay([]byte(in[0]), []byte(in[1]), []byte(in[2]), &appsv1.Deployment{}); err == nil {
			t.Errorf("%s: no error, result %s", name, result)
		}
	}
}

func TestAPanicOfTheMergeIsAnError(t *testing.T) {
	// Two list elements whose merge keys are lists cannot be compared.
	good := manifest("", `"env":[{"name":"A"}],`)
	spoilt := strings.ReplaceAll(good, `{"name":"A"}`, `{"name":[null]}`)
	if _, err := ThreeWay([]byte(good), []byte(good), []byte(spoilt), &appsv1.Deployment{}); err == nil || !strings.Contains(err.Error(), "shape") {
		t.Errorf("error %v", err)
	}
}
