package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/examples/operators/operator"
)

// TestFolders: each sample has a folder with a definition that has a status, and a seed of
// its kind that says nothing the Go types do not know; and each folder has a sample.
func TestFolders(t *testing.T) {
	folders, err := filepath.Glob("*/crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(samples) {
		t.Errorf("%d folders with definitions, and %d samples", len(folders), len(samples))
	}
	for name, s := range samples {
		crd := unstructured.Unstructured{}
		if err := yaml.UnmarshalStrict(read(t, name, "crd.yaml"), &crd.Object); err != nil {
			t.Fatal(err)
		}
		kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
		versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
		if _, status, _ := unstructured.NestedMap(versions[0].(map[string]any), "subresources", "status"); !status {
			t.Errorf("%s: the definition has no status", name)
		}
		seed := load(t, name, s.Fixed)
		if got := seed.GetObjectKind().GroupVersionKind().Kind; got != kind || s.Fixed.Kind != kind || s.Buggy.Kind != kind {
			t.Errorf("%s: the seed is a %s, the definition that of a %s, and the operator for a %s", name, got, kind, s.Fixed.Kind)
		}
	}
}

// TestChildren: of some mistakes the first thing that is wrong shows without a cluster.
func TestChildren(t *testing.T) {
	for _, test := range []struct{ name, change string }{
		{"dead-property", "terminationGracePeriodSeconds: 7"},
		{"wrong-role", "data: {tolerations: [{key: a, operator: Exists}]}"},
		{"stale-config", "routes: [{path: /new, backend: other}]"},
		{"missed-label", "track: canary"},
	} {
		s := samples[test.name]
		for form, o := range map[string]operator.Operator{"buggy": s.Buggy, "fixed": s.Fixed} {
			seed, changed := load(t, test.name, o), load(t, test.name, o)
			if err := yaml.Unmarshal([]byte("spec: {"+test.change+"}"), changed); err != nil {
				t.Fatal(err)
			}
			before, after := workloads(o.Children(seed)), workloads(o.Children(changed))
			if same := reflect.DeepEqual(before, after); same != (form == "buggy") {
				t.Errorf("%s %s: %s leaves the workloads as they are: %v", test.name, form, test.change, same)
			}
		}
	}
}

// TestRemembered: what was once said shows in what becomes of another resource, or not.
func TestRemembered(t *testing.T) {
	s := samples["shared-default"]
	for form, o := range map[string]operator.Operator{"fixed": s.Fixed, "buggy": s.Buggy} {
		seed, other := load(t, "shared-default", o), load(t, "shared-default", o)
		before := o.Children(seed)
		if err := yaml.Unmarshal([]byte("spec: {settings: {NEW: x}}"), other); err != nil {
			t.Fatal(err)
		}
		o.Children(other)
		if same := reflect.DeepEqual(before, o.Children(seed)); same != (form == "fixed") {
			t.Errorf("%s: the same resource has the same children: %v", form, same)
		}
	}
}

// TestMigration: another version has a Job of its own, or that of the one before.
func TestMigration(t *testing.T) {
	s := samples["refused-migration"]
	for form, o := range map[string]operator.Operator{"fixed": s.Fixed, "buggy": s.Buggy} {
		seed, other := load(t, "refused-migration", o), load(t, "refused-migration", o)
		if err := yaml.Unmarshal([]byte("spec: {version: 4.0.0}"), other); err != nil {
			t.Fatal(err)
		}
		before, after := job(t, o.Children(seed)), job(t, o.Children(other))
		if same := before.Name == after.Name; same != (form == "buggy") {
			t.Errorf("%s: %s and then %s", form, before.Name, after.Name)
		}
		if reflect.DeepEqual(before.Spec, after.Spec) {
			t.Errorf("%s: the Job does not run the version", form)
		}
	}
}

// job is the one among children.
func job(t *testing.T, children []client.Object) *batchv1.Job {
	t.Helper()
	for _, child := range children {
		if found, is := child.(*batchv1.Job); is {
			return found
		}
	}
	t.Fatal("there is no Job")
	return nil
}

// TestStamp: what a stamp says follows from the resource, or from when it is asked.
func TestStamp(t *testing.T) {
	s := samples["restless-stamp"]
	for form, o := range map[string]operator.Operator{"fixed": s.Fixed, "buggy": s.Buggy} {
		seed := load(t, "restless-stamp", o)
		if err := yaml.Unmarshal([]byte("spec: {stamp: true}"), seed); err != nil {
			t.Fatal(err)
		}
		if same := reflect.DeepEqual(o.Children(seed), o.Children(seed)); same != (form == "fixed") {
			t.Errorf("%s: the same resource has the same children: %v", form, same)
		}
	}
}

// TestUncheckedNil: one of them does not survive a resource without metrics.
func TestUncheckedNil(t *testing.T) {
	s := samples["unchecked-nil"]
	for form, o := range map[string]operator.Operator{"buggy": s.Buggy, "fixed": s.Fixed} {
		func() {
			defer func() {
				if panicked := recover() != nil; panicked != (form == "buggy") {
					t.Errorf("%s: panics: %v", form, panicked)
				}
			}()
			seed := load(t, "unchecked-nil", o)
			if err := yaml.Unmarshal([]byte("spec: {metrics: null}"), seed); err != nil {
				t.Fatal(err)
			}
			o.Children(seed)
		}()
	}
}

// TestValidate: a size that ends all pods is refused by one of them.
func TestValidate(t *testing.T) {
	s := samples["trusted-size"]
	for size, refused := range map[string]bool{"-1": true, "0": true, "1": false} {
		seed := load(t, "trusted-size", s.Fixed)
		if err := yaml.Unmarshal([]byte("spec: {size: "+size+"}"), seed); err != nil {
			t.Fatal(err)
		}
		if err := s.Fixed.Validate(seed); (err != nil) != refused {
			t.Errorf("size %s: %v", size, err)
		}
	}
	if s.Buggy.Validate != nil {
		t.Error("the other one validates too")
	}
}

// TestUsage: whoever asks for what there is not is told what there is.
func TestUsage(t *testing.T) {
	for _, arguments := range [][]string{
		nil, {"wrong-role"}, {"wrong-role", "good"}, {"other", "buggy"}, {"wrong-role", "buggy", "--verbose"},
	} {
		err := run(t.Context(), arguments)
		if err == nil {
			t.Errorf("%q runs", arguments)
			continue
		}
		for name := range samples {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("%q is not told of %s: %v", arguments, name, err)
			}
		}
	}
}

// workloads are the children that have pods.
func workloads(children []client.Object) []any {
	var out []any
	for _, child := range children {
		switch child.(type) {
		case *appsv1.Deployment, *appsv1.StatefulSet:
			out = append(out, child)
		}
	}
	return out
}

// load reads the seed of a sample.
func load(t *testing.T, name string, o operator.Operator) operator.Resource {
	t.Helper()
	seed := o.Resource.DeepCopyObject().(operator.Resource)
	if err := yaml.UnmarshalStrict(read(t, name, "seed.yaml"), seed); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return seed
}

func read(t *testing.T, name, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(name, file))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
