package descheduler

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/descheduler/pkg/api"
	"sigs.k8s.io/descheduler/pkg/api/v1alpha2"
	"sigs.k8s.io/descheduler/pkg/descheduler/scheme"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/defaultevictor"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/nodeutilization"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/podlifetime"
	"sigs.k8s.io/descheduler/pkg/framework/plugins/removefailedpods"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/mutation"
)

// Policy is a DeschedulerPolicy as the real descheduler 0.36.0 understands
// it: decoded, validated and defaulted by its own code.
type Policy struct {
	raw      []byte
	loaded   *api.DeschedulerPolicy
	classes  []string // names of the priority classes the thresholds refer to
	warnings []string
}

// LoadPolicy decodes a descheduler/v1alpha2 DeschedulerPolicy from YAML or
// JSON with the real decoder, validators and defaults. Errors are one line.
//
// A priority threshold by class name is resolved when a cycle runs, since the
// classes belong to the cluster; here any name is accepted.
func LoadPolicy(raw []byte) (*Policy, error) {
	if mutation.On("descheduler-ignores-node-fit") {
		raw = bytes.ReplaceAll(raw, []byte(`"nodeFit":true`), []byte(`"nodeFit":false`))
	}
	var classes []string
	client := fake.NewSimpleClientset()
	client.PrependReactor("get", "priorityclasses", func(action clienttesting.Action) (bool, runtime.Object, error) {
		name := action.(clienttesting.GetAction).GetName()
		classes = append(classes, name)
		return true, &schedulingv1.PriorityClass{}, nil
	})
	loaded, err := decode(raw, client)
	if err != nil {
		return nil, fmt.Errorf("load descheduler policy: %s", oneLine(err.Error()))
	}
	return &Policy{
		raw:      append([]byte(nil), raw...),
		loaded:   loaded,
		classes:  classes,
		warnings: unknownFields(raw),
	}, nil
}

// Warnings lists what the real descheduler ignores without a word: fields
// outside the plugin arguments that it does not know or that occur twice.
// (Unknown plugin arguments are errors of LoadPolicy, as they are upstream.)
func (p *Policy) Warnings() []string { return append([]string(nil), p.warnings...) }

// oneLine joins the lines of a message.
func oneLine(message string) string { return strings.Join(strings.Fields(message), " ") }

// unknownFields decodes once more, strictly, which the real loader does not.
func unknownFields(raw []byte) []string {
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	_, _, err := codecs.UniversalDecoder(v1alpha2.SchemeGroupVersion).Decode(raw, nil, &v1alpha2.DeschedulerPolicy{})
	strict, ok := runtime.AsStrictDecodingError(err)
	if !ok {
		return nil
	}
	var warnings []string
	for _, cause := range strict.Errors() {
		warnings = append(warnings, oneLine(cause.Error()))
	}
	return warnings
}

// resolve returns the policy with its named priority thresholds looked up in
// the given classes by the real code. The built-in classes always exist in a
// cluster and are added when the caller leaves them out.
func (p *Policy) resolve(classes map[string]int32) (*api.DeschedulerPolicy, error) {
	if len(p.classes) == 0 {
		return p.loaded.DeepCopy(), nil
	}
	client := fake.NewSimpleClientset()
	for name, value := range classes {
		class := &schedulingv1.PriorityClass{Value: value}
		class.Name = name
		if _, err := client.SchedulingV1().PriorityClasses().Create(context.Background(), class, createOptions); err != nil {
			return nil, fmt.Errorf("resolve priority class %s: %w", name, err)
		}
	}
	resolved, err := decode(p.raw, client)
	if err != nil {
		return nil, fmt.Errorf("load descheduler policy: %s", oneLine(err.Error()))
	}
	return resolved, nil
}

// unsupported lists the parts of the policy whose answer depends on data a
// Cluster does not carry, one line each.
func (p *Policy) unsupported() []string {
	var found []string
	for _, profile := range p.loaded.Profiles {
		for _, config := range profile.PluginConfigs {
			switch args := config.Args.(type) {
			case *nodeutilization.LowNodeUtilizationArgs:
				if args.MetricsUtilization != nil {
					found = append(found, fmt.Sprintf("profile %s: LowNodeUtilization metricsUtilization: actual usage is not modelled", profile.Name))
				}
			case *defaultevictor.DefaultEvictorArgs:
				protections := args.PodProtections
				if protections.Config != nil && protections.Config.PodsWithPVC != nil &&
					len(protections.Config.PodsWithPVC.ProtectedStorageClasses) > 0 {
					found = append(found, fmt.Sprintf("profile %s: DefaultEvictor protectedStorageClasses: claims are not modelled", profile.Name))
				}
			}
		}
	}
	return found
}

// Clocked lists the arguments that compare a pod's times with the wall clock,
// one line each. With any of them a cycle is a function of the cluster *and*
// of the moment it runs: give pods creation, start and transition times far
// from the thresholds, or treat the answer as one of two.
func (p *Policy) Clocked() []string {
	var found []string
	note := func(profile, plugin, argument string) {
		found = append(found, fmt.Sprintf("profile %s: %s %s", profile, plugin, argument))
	}
	for _, profile := range p.loaded.Profiles {
		for _, config := range profile.PluginConfigs {
			switch args := config.Args.(type) {
			case *defaultevictor.DefaultEvictorArgs:
				if args.MinPodAge != nil {
					note(profile.Name, config.Name, "minPodAge")
				}
			case *removefailedpods.RemoveFailedPodsArgs:
				if args.MinPodLifetimeSeconds != nil {
					note(profile.Name, config.Name, "minPodLifetimeSeconds")
				}
			case *podlifetime.PodLifeTimeArgs:
				if args.MaxPodLifeTimeSeconds != nil {
					note(profile.Name, config.Name, "maxPodLifeTimeSeconds")
				}
				for _, condition := range args.Conditions {
					if condition.MinTimeSinceLastTransitionSeconds != nil {
						note(profile.Name, config.Name, "minTimeSinceLastTransitionSeconds")
					}
				}
			}
		}
	}
	return found
}
