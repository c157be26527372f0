package descheduler_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"sigs.k8s.io/descheduler/pkg/api"
	upstream "sigs.k8s.io/descheduler/pkg/descheduler"
	"sigs.k8s.io/descheduler/pkg/framework/pluginregistry"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// anyPolicy is a policy of which every part may be good or bad.
func (g generator) anyPolicy() string {
	if g.percent(15) {
		return g.damaged(g.policy())
	}
	version, kind := "descheduler/v1alpha2", "DeschedulerPolicy"
	if g.percent(6) {
		version = choose(g, "descheduler/v1alpha1", "v1", "descheduler/__internal")
	}
	if g.percent(3) {
		kind = "Policy"
	}
	head := "apiVersion: " + version + "\nkind: " + kind + "\n"
	for _, setting := range []string{
		"nodeSelector: " + choose(g, "disk=ssd", "disk=ssd", "'a in'", "5"),
		"maxNoOfPodsToEvictPerNode: " + choose(g, "3", "3", "0", "-1"),
		"gracePeriodSeconds: " + choose(g, "30", "30", "0", "soon"),
		"evictionFailureEventNotification: true",
		"maxPodsToEvict: 3",
		"metricsCollector: {enabled: " + choose(g, "true", "false") + "}",
		"metricsProviders: [" + strings.Join(g.providers(), ", ") + "]",
	} {
		if g.percent(20) {
			head += setting + "\n"
		}
	}
	var profiles []string
	for i := range g.IntN(3) {
		profiles = append(profiles, g.anyProfile(i))
	}
	return head + "profiles: [" + strings.Join(profiles, ", ") + "]\n"
}

func (g generator) providers() (providers []string) {
	for range g.IntN(4) {
		providers = append(providers, choose(g, "{source: KubernetesMetrics}", "{source: Prometheus}",
			"{source: Prometheus, prometheus: {}}", "{source: Prometheus, prometheus: {url: 'http://x'}}",
			"{source: Prometheus, prometheus: {url: 'http://[x'}}",
			"{source: Prometheus, prometheus: {url: 'http://x', authToken: {}}}",
			"{source: Prometheus, prometheus: {url: 'http://x', authToken: {secretReference: {name: a}}}}",
			"{source: Prometheus, prometheus: {url: 'http://x', authToken: {secretReference: {namespace: b}}}}",
			"{source: Prometheus, prometheus: {url: 'http://x', authToken: {secretReference: {name: a, namespace: b}}}}"))
	}
	return providers
}

func (g generator) anyProfile(i int) string {
	if g.percent(50) {
		return g.profile(fmt.Sprintf("p%d", i)) // good, with a configured evictor
	}
	var configs []string
	for range g.IntN(4) {
		configs = append(configs, g.config())
	}
	points := make([]string, 0, 6)
	for _, point := range []string{"deschedule", "balance", "filter", "preEvictionFilter", "presort", "sort"} {
		if g.percent(35) {
			points = append(points, fmt.Sprintf("%s: {%s: [%s]}", point, choose(g, "enabled", "enabled", "disabled"),
				choose(g, "DefaultEvictor", "RemoveDuplicates", "PodLifeTime, DefaultEvictor", "")))
		}
	}
	return fmt.Sprintf("{name: q%d, pluginConfig: [%s], plugins: {%s}}", i, strings.Join(configs, ", "), strings.Join(points, ", "))
}

// config is the configuration of one of the plugins, or of none, with
// arguments of which few fit all.
func (g generator) config() string {
	name := choose(g, append(slices.Collect(names(registryOf(upstream.RegisterDefaultPlugins))),
		"DefaultEvictor", "DefaultEvictor", "DefaultEvictor", "DefaultEvictor", "RemoveEverything")...)
	var args string
	switch {
	case g.percent(20):
		return "{name: " + name + choose(g, "", ", args: null", ", args: ~") + "}"
	case name == "DefaultEvictor":
		args = choose(g, "nodeFit: true", "priorityThreshold: {}", "priorityThreshold: {value: 5}", "priorityThreshold: {value: 2000000001}",
			"priorityThreshold: {name: important}", "priorityThreshold: {name: important}", "priorityThreshold: {name: huge}", "priorityThreshold: {name: nowhere}",
			"priorityThreshold: {name: important, value: 5}", "noEvictionPolicy: Never", "minReplicas: -1", "minReplicas: 2",
			"podProtections: {extraEnabled: [PodsWithPVC, PodsWithPVC]}", "podProtections: {defaultDisabled: [DaemonSetPods]}",
			"evictLocalStoragePods: true, podProtections: {extraEnabled: [PodsWithPVC]}", "nodefit: true")
	default:
		args = choose(g, "", "", "nodeFits: true", "labelSelector: {matchLabels: {a: b}}", "labelSelector: {matchLabels: {'a b': c}}",
			"namespaces: {include: [a]}", "namespaces: {include: [a], exclude: [b]}", "thresholds: {cpu: 20}, targetThresholds: {cpu: 50}",
			"thresholds: {cpu: 60}, targetThresholds: {cpu: 50}", "thresholds: {cpu: 20}", "thresholds: {cpu: 120}",
			"maxPodLifeTimeSeconds: 60", "maxPodLifeTimeSeconds: 60, states: [Nowhere]", "podRestartThreshold: 3", "podRestartThreshold: 0",
			"nodeAffinityType: [requiredDuringSchedulingIgnoredDuringExecution]", "constraints: [DoNotSchedule]", "constraints: [Always]",
			"excludeOwnerKinds: [ReplicaSet]", "minPodLifetimeSeconds: 5", "args: [")
	}
	return "{name: " + name + ", args: {" + args + "}}"
}

// damaged changes single bytes of a text.
func (g generator) damaged(text string) string {
	raw := []byte(text)
	for range 1 + g.IntN(2) {
		raw[g.IntN(len(raw))] = choose(g, []byte("{}[]:, \n\t'x0-")...)
	}
	return string(raw)
}

func registryOf(fill func(pluginregistry.Registry)) pluginregistry.Registry {
	registry := pluginregistry.NewRegistry()
	fill(registry)
	return registry
}

func names(registry pluginregistry.Registry) func(func(string) bool) {
	keys := make([]string, 0, len(registry))
	for name := range registry {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	return slices.Values(keys)
}

// realLoad is the real loader with the real registry. What it panics with is
// an error, as it is of LoadPolicy.
func realLoad(t *testing.T, raw string, client kubernetes.Interface) (policy *api.DeschedulerPolicy, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "policy.yaml")
	if err := os.WriteFile(file, []byte(raw), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := pluginregistry.PluginRegistry
	defer func() {
		pluginregistry.PluginRegistry = ours
		if cause := recover(); cause != nil {
			policy, err = nil, fmt.Errorf("%v", cause)
		}
	}()
	upstream.SetupPlugins()
	policy, err = upstream.LoadPolicyConfig(file, client, pluginregistry.PluginRegistry)
	if err != nil {
		message, _ := strings.CutPrefix(err.Error(), fmt.Sprintf("failed decoding descheduler's policy config %q: ", file))
		return nil, fmt.Errorf("%s", message)
	}
	return policy, nil
}

func classClient() kubernetes.Interface {
	class := func(name string, value int32) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value}
	}
	return fake.NewSimpleClientset(class("important", 1000), class("huge", 2_000_000_001))
}

func TestDecodingIsThatOfTheRealLoader(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(20, 36))}
	client := classClient()
	seen := map[string]int{}
	for i := range 3000 {
		raw := g.anyPolicy()
		want, wantErr := realLoad(t, raw, client)
		got, gotErr := descheduler.Decode([]byte(raw), client)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("policy %d: error\n%v\nwant\n%v\n%s", i, gotErr, wantErr, raw)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("policy %d (-want +got):\n%s\n%s", i, cmp.Diff(want, got), raw)
		}
		seen[kindOfAnswer(wantErr, raw)]++
	}
	t.Logf("%v", seen)
	for _, kind := range []string{
		"accepted", "accepted, evictor added", "accepted, class by name", "not registered", "priority class", "can't be greater",
		"prometheus", "already configured", "combine metrics", "in profile", "strict decoding", "no kind", "cannot unmarshal",
	} {
		if seen[kind] < 3 {
			t.Errorf("%d policies of kind %q", seen[kind], kind)
		}
	}
	if accepted := seen["accepted"] + seen["accepted, evictor added"]; accepted < 600 || accepted > 2400 {
		t.Errorf("%d policies of 3000 are accepted", accepted)
	}
}

// kindOfAnswer names what a policy exercises.
func kindOfAnswer(err error, raw string) string {
	if err == nil {
		switch {
		case strings.Contains(raw, "priorityThreshold: {name"):
			return "accepted, class by name"
		case !strings.Contains(raw, "{name: DefaultEvictor") && strings.Contains(raw, "name: q"):
			return "accepted, evictor added"
		}
		return "accepted"
	}
	for _, kind := range []string{
		"combine metrics", "not registered", "priority class", "can't be greater", "prometheus", "already configured",
		"strict decoding", "in profile", "no kind", "cannot unmarshal",
	} {
		if strings.Contains(err.Error(), kind) {
			return kind
		}
	}
	return "other"
}

// The plugins are the real binary's, with their types, functions and
// arguments.
func TestRegistryIsTheRealOne(t *testing.T) {
	want, got := registryOf(upstream.RegisterDefaultPlugins), descheduler.NewRegistry()
	if diff := cmp.Diff(slices.Collect(names(want)), slices.Collect(names(got))); diff != "" {
		t.Fatalf("plugins (-want +got):\n%s", diff)
	}
	for name, plugin := range want {
		ours := got[name]
		for _, pair := range [][2]any{
			{plugin.PluginBuilder, ours.PluginBuilder},
			{plugin.PluginArgValidator, ours.PluginArgValidator},
			{plugin.PluginArgDefaulter, ours.PluginArgDefaulter},
		} {
			if reflect.ValueOf(pair[0]).Pointer() != reflect.ValueOf(pair[1]).Pointer() {
				t.Errorf("%s: another function of type %T", name, pair[0])
			}
		}
		if reflect.TypeOf(plugin.PluginType) != reflect.TypeOf(ours.PluginType) || !reflect.DeepEqual(plugin.PluginArgInstance, ours.PluginArgInstance) {
			t.Errorf("%s: %T with %T; want %T with %T", name, ours.PluginType, ours.PluginArgInstance, plugin.PluginType, plugin.PluginArgInstance)
		}
	}
}
