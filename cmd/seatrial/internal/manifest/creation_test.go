package manifest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	replicasetregistry "k8s.io/kubernetes/pkg/registry/apps/replicaset"
	namespaceregistry "k8s.io/kubernetes/pkg/registry/core/namespace"
	podregistry "k8s.io/kubernetes/pkg/registry/core/pod"
)

// realCreations are the strategies that creation.go mirrors.
var realCreations = map[string]creation{
	"ReplicaSet": replicasetregistry.Strategy, "Namespace": namespaceregistry.Strategy, "Pod": timeless{podregistry.Strategy},
}

// timeless is a pod strategy whose conditions have no time.
type timeless struct{ creation }

func (s timeless) PrepareForCreate(ctx context.Context, obj runtime.Object) {
	s.creation.PrepareForCreate(ctx, obj)
	pod := obj.(*core.Pod)
	for i := range pod.Status.Conditions {
		pod.Status.Conditions[i].LastTransitionTime = metav1.Time{}
	}
}

// create runs a creation on a copy, as validate does.
func create(c creation, obj runtime.Object) (created runtime.Object, problems []string) {
	created = obj.DeepCopyObject()
	var errs field.ErrorList
	err := guard(func() error {
		c.PrepareForCreate(context.Background(), created)
		errs = c.Validate(context.Background(), created)
		return nil
	})
	if err != nil {
		return created, []string{err.Error()}
	}
	for _, e := range errs {
		problems = append(problems, e.Error())
	}
	slices.Sort(problems) // validation ranges over maps
	return created, problems
}

func TestCreationIsThatOfTheRealStrategies(t *testing.T) {
	g := objects{rand.New(rand.NewPCG(36, 3))}
	seen := map[string]int{}
	for i := range 6000 {
		kind, versioned := g.object()
		legacyscheme.Scheme.Default(versioned)
		obj, err := legacyscheme.Scheme.ConvertToVersion(versioned, runtime.InternalGroupVersioner)
		if err != nil {
			seen["not convertible"]++
			continue
		}
		want, wantProblems := create(realCreations[kind], obj)
		got, gotProblems := create(modelKindNamed(kind).creation, obj)
		if diff := cmp.Diff(wantProblems, gotProblems); diff != "" {
			t.Fatalf("%s %d: problems (-want +got):\n%s", kind, i, diff)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s %d (-want +got):\n%s", kind, i, diff)
		}
		verdict := ": accepted"
		if len(wantProblems) > 0 {
			verdict = ": refused"
		}
		seen[kind+verdict]++
		if pod, ok := got.(*core.Pod); ok {
			for _, change := range changesOf(obj.(*core.Pod), pod) {
				seen[change+verdict]++
			}
		}
	}
	t.Logf("%v", seen)
	for _, exercised := range []string{
		"ReplicaSet: accepted", "ReplicaSet: refused", "Namespace: accepted", "Namespace: refused", "Pod: accepted", "Pod: refused",
		"affinity keys: accepted", "affinity keys: refused", "spread keys: accepted", "gates: accepted", "profile: accepted",
	} {
		if seen[exercised] < 100 {
			t.Errorf("%d objects for %q", seen[exercised], exercised)
		}
	}
}

// changesOf names what creation did to a pod.
func changesOf(before, after *core.Pod) (changes []string) {
	if !cmp.Equal(before.Spec.Affinity, after.Spec.Affinity) {
		changes = append(changes, "affinity keys")
	}
	if !cmp.Equal(before.Spec.TopologySpreadConstraints, after.Spec.TopologySpreadConstraints) {
		changes = append(changes, "spread keys")
	}
	if len(after.Status.Conditions) > 0 {
		changes = append(changes, "gates")
	}
	profiles := func(pod *core.Pod) (all []*core.AppArmorProfile) {
		for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			if c.SecurityContext != nil && c.SecurityContext.AppArmorProfile != nil {
				all = append(all, c.SecurityContext.AppArmorProfile)
			}
		}
		return all
	}
	if !cmp.Equal(profiles(before), profiles(after)) {
		changes = append(changes, "profile")
	}
	return changes
}

// TestFixturesLoadAsWithTheRealStrategies loads every fixture twice.
func TestFixturesLoadAsWithTheRealStrategies(t *testing.T) {
	texts := fixtures(t)
	outcome := func(text string) (string, []any) {
		in, err := Load(t.Context(), []string{"-"}, strings.NewReader(text), testOptions)
		if err != nil {
			return describe(in, err), nil
		}
		return describe(in, nil), content(t, in)
	}
	type result struct {
		text    string
		objects []any
	}
	var mirrored []result
	refused := 0
	for _, text := range texts {
		said, objects := outcome(text)
		mirrored = append(mirrored, result{said, objects})
		if objects == nil {
			refused++
		}
	}
	if len(texts) < 90 || refused < 50 || refused > len(texts)-15 {
		t.Errorf("%d fixtures, %d of them refused", len(texts), refused)
	}
	kept := slices.Clone(modelKinds)
	t.Cleanup(func() { copy(modelKinds, kept) })
	for i := range modelKinds {
		if real, ok := realCreations[modelKinds[i].kind]; ok {
			modelKinds[i].creation = real
		}
	}
	for i, text := range texts {
		said, objects := outcome(text)
		if diff := cmp.Diff(said, mirrored[i].text); diff != "" {
			t.Errorf("(-real +ours):\n%s\n%s", diff, text)
		}
		if diff := cmp.Diff(objects, mirrored[i].objects); diff != "" {
			t.Errorf("(-real +ours):\n%s\n%s", diff, text)
		}
	}
}

// fixtures are the texts of all files in testdata and of the transcripts'
// commands.
func fixtures(t testing.TB) (texts []string) {
	files, err := filepath.Glob("testdata/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(filepath.Dir(name)) != "load" {
			texts = append(texts, string(data))
			continue
		}
		for _, part := range strings.Split("\n"+string(data), "\nload") {
			if _, input, ok := strings.Cut(part, "\n"); ok {
				input, _, _ = strings.Cut(input, "\n----\n")
				texts = append(texts, input)
			}
		}
	}
	return texts
}
