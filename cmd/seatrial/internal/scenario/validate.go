package scenario

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Default fills in what may be left out: a pool's Max is its Min.
func (s *Spec) Default() {
	for i := range s.NodePools {
		if p := &s.NodePools[i]; p.Max == 0 {
			p.Max = p.Min
		}
	}
	for i := range s.Events {
		if e := &s.Events[i]; e.Load != nil && e.Workload != nil && e.Load.Workload == (Workload{}) {
			e.Load.Workload = *e.Workload
		}
	}
}

// Validate says what is wrong with a Scenario's spec by itself. Whether the
// names in it exist is for the package that knows the manifests. Paths begin
// with spec.
func (s *Spec) Validate() field.ErrorList {
	root := field.NewPath("spec")
	errs := s.validatePools(root.Child("nodePools"))
	errs = append(errs, s.validateReplicas(root.Child("replicas"))...)
	errs = append(errs, s.validateCrashes(root.Child("nodeCrash"))...)
	errs = append(errs, s.validateLoads(root.Child("load"))...)
	errs = append(errs, s.validateEvents(root.Child("events"))...)
	errs = append(errs, s.validateAppliers(root.Child("appliers"))...)
	errs = append(errs, s.validateActors(root.Child("actors"))...)
	errs = append(errs, s.validateProperties(root.Child("properties"))...)
	if s.MaxEvents != nil {
		errs = append(errs, notNegative(*s.MaxEvents, root.Child("maxEvents"))...)
	}
	errs = append(errs, atLeastOne(s.InFlight, root.Child("inFlight"))...)
	errs = append(errs, notNegative(s.Bounds.States, root.Child("bounds", "states"))...)
	errs = append(errs, notNegative(s.Bounds.Depth, root.Child("bounds", "depth"))...)
	for i, name := range s.Accept {
		if strings.TrimSpace(name) == "" {
			errs = append(errs, field.Required(root.Child("accept").Index(i), "a name as printed, such as StatefulSet/default/db"))
		}
	}
	return errs
}

const (
	// poolNodesMax is the largest pool: the size of cluster that Kubernetes
	// supports.
	poolNodesMax = 5000
	// budgetMax is the largest budget of an event.
	budgetMax = 100
	// replicasMax is the largest size of a workload that is variable.
	replicasMax = 1000
)

// atMost refuses numbers above max.
func atMost(n, max int, path *field.Path) field.ErrorList {
	if n > max {
		return field.ErrorList{field.Invalid(path, n, fmt.Sprintf("must be at most %d", max))}
	}
	return nil
}

func notNegative(n int, path *field.Path) field.ErrorList {
	if n < 0 {
		return field.ErrorList{field.Invalid(path, n, "must not be negative")}
	}
	return nil
}

func (s *Spec) validatePools(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, p := range s.NodePools {
		at := path.Index(i)
		errs = append(errs, unique(first, p.Name, i, at.Child("name"))...)
		if p.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), "the nodes are named after it"))
		} else if msgs := validation.IsDNS1123Subdomain(p.Name); len(msgs) > 0 {
			errs = append(errs, field.Invalid(at.Child("name"), p.Name, strings.Join(msgs, "; ")))
		}
		errs = append(errs, notNegative(p.Min, at.Child("min"))...)
		errs = append(errs, notNegative(p.Max, at.Child("max"))...)
		errs = append(errs, atMost(p.Min, poolNodesMax, at.Child("min"))...)
		errs = append(errs, atMost(p.Max, poolNodesMax, at.Child("max"))...)
		if p.Min >= 0 && p.Max >= 0 && p.Max != 0 && p.Min > p.Max {
			errs = append(errs, field.Invalid(at.Child("max"), p.Max, fmt.Sprintf("must not be less than min, %d", p.Min)))
		}
		if p.Min == 0 && p.Max == 0 {
			errs = append(errs, field.Required(at.Child("min"), "a pool has at least one node in min or max"))
		}
		allocatable := at.Child("template", "status", "allocatable")
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods} {
			quantity, ok := p.Template.Status.Allocatable[name]
			if !ok {
				quantity, ok = p.Template.Status.Capacity[name]
				ok = ok && len(p.Template.Status.Allocatable) == 0
			}
			if !ok {
				errs = append(errs, field.Required(allocatable.Key(string(name)), "a pool without it has room for no pod"))
			} else if quantity.Sign() <= 0 {
				errs = append(errs, field.Invalid(allocatable.Key(string(name)), quantity.String(), "must be greater than zero"))
			}
		}
	}
	return errs
}

// unique refuses a name that an earlier item has.
func unique(first map[string]int, name string, i int, path *field.Path) field.ErrorList {
	if name == "" {
		return nil
	}
	if _, again := first[name]; again {
		return field.ErrorList{field.Duplicate(path, name)}
	}
	first[name] = i
	return nil
}

func (s *Spec) validateReplicas(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, r := range s.Replicas {
		at := path.Index(i)
		errs = append(errs, unique(first, r.Workload.String(), i, at.Child("workload"))...)
		errs = append(errs, r.Workload.validate(at.Child("workload"))...)
		if k := r.Workload.WithDefaults().Kind; k != "Deployment" {
			errs = append(errs, field.NotSupported(at.Child("workload", "kind"), k, []string{"Deployment"}))
		}
		least := int(r.Min)
		errs = append(errs, atLeastOne(&least, at.Child("min"))...)
		errs = append(errs, atMost(least, replicasMax, at.Child("min"))...)
		for _, bound := range []struct {
			name  string
			value *int32
			least int32
		}{{"max", r.Max, r.Min}, {"perNode", r.PerNode, 1}} {
			switch {
			case bound.value == nil:
			case *bound.value < bound.least:
				errs = append(errs, field.Invalid(at.Child(bound.name), *bound.value, fmt.Sprintf("must not be less than %d", bound.least)))
			default:
				errs = append(errs, atMost(int(*bound.value), replicasMax, at.Child(bound.name))...)
			}
		}
	}
	return errs
}

func (s *Spec) validateCrashes(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, c := range s.NodeCrash {
		at := path.Index(i)
		errs = append(errs, usedResource(c.Resource, at.Child("resource"))...)
		if c.FreePercent < 0 || c.FreePercent > 100 {
			errs = append(errs, field.Invalid(at.Child("freePercent"), c.FreePercent, "must be between 0 and 100"))
		}
	}
	return errs
}

// usedResource accepts what has a usage; empty is the default, cpu.
func usedResource(name corev1.ResourceName, path *field.Path) field.ErrorList {
	switch name {
	case "", corev1.ResourceCPU, corev1.ResourceMemory:
		return nil
	}
	return field.ErrorList{field.NotSupported(path, name, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory})}
}

func (s *Spec) validateLoads(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	first := map[string]int{}
	for i, l := range s.Load {
		at := path.Index(i)
		errs = append(errs, l.validate(at)...)
		if l.Workload.Name != "" {
			errs = append(errs, unique(first, l.Workload.String(), i, at.Child("workload"))...)
		}
	}
	return errs
}

// String is Kind namespace/name with the defaults filled in.
func (w Workload) String() string {
	w = w.WithDefaults()
	return w.Kind + " " + w.Namespace + "/" + w.Name
}

// WithDefaults is the workload with Kind Deployment and Namespace default
// filled in.
func (w Workload) WithDefaults() Workload {
	if w.Kind == "" {
		w.Kind = "Deployment"
	}
	if w.Namespace == "" {
		w.Namespace = corev1.NamespaceDefault
	}
	return w
}

func (w Workload) validate(path *field.Path) field.ErrorList {
	var errs field.ErrorList
	switch w.Kind {
	case "", "Deployment", "ReplicaSet", "Pod":
	default:
		errs = append(errs, field.NotSupported(path.Child("kind"), w.Kind, []string{"Deployment", "ReplicaSet", "Pod"}))
	}
	if w.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	return errs
}

func (l *Load) validate(path *field.Path) field.ErrorList {
	errs := l.Workload.validate(path.Child("workload"))
	var set []string
	for _, choice := range []struct {
		name string
		is   bool
	}{{"total", l.Total != nil}, {"perPod", l.PerPod != nil}, {"requests", l.Requests}, {"startUp", l.StartUp != nil}} {
		if choice.is {
			set = append(set, choice.name)
		}
	}
	metrics := len(l.External)+len(l.Object)+len(l.Pods) > 0
	switch {
	case len(set) == 0 && !metrics:
		errs = append(errs, field.Required(path, "exactly one of total, perPod, requests and startUp"))
	case len(set) > 1:
		errs = append(errs, field.Forbidden(path.Child(set[1]), fmt.Sprintf("exactly one of total, perPod, requests and startUp; %s is set too", set[0])))
	}
	if l.Idle != nil && l.Total == nil {
		errs = append(errs, field.Forbidden(path.Child("idle"), "only together with total"))
	}
	errs = append(errs, usage(l.Total, path.Child("total"))...)
	errs = append(errs, usage(l.Idle, path.Child("idle"))...)
	errs = append(errs, usage(l.PerPod, path.Child("perPod"))...)
	if l.StartUp != nil && len(l.StartUp) == 0 {
		errs = append(errs, field.Required(path.Child("startUp"), "at least one phase"))
	}
	for i, phase := range l.StartUp {
		at := path.Child("startUp").Index(i)
		if phase.Use == nil {
			errs = append(errs, field.Required(at.Child("use"), "what a pod uses in this phase"))
		}
		errs = append(errs, usage(phase.Use, at.Child("use"))...)
		if phase.Seconds < 0 || phase.Seconds == 0 && i < len(l.StartUp)-1 {
			errs = append(errs, field.Invalid(at.Child("seconds"), phase.Seconds, "a phase before the last one lasts at least a second"))
		}
	}
	errs = append(errs, metricValues(l.External, path.Child("external"))...)
	errs = append(errs, metricValues(l.Object, path.Child("object"))...)
	return append(errs, metricValues(l.Pods, path.Child("pods"))...)
}

func usage(list corev1.ResourceList, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if list != nil && len(list) == 0 {
		errs = append(errs, field.Required(path, "cpu or memory"))
	}
	for _, name := range sorted(list) {
		at := path.Key(string(name))
		errs = append(errs, usedResource(name, at)...)
		quantity := list[name]
		errs = append(errs, quantityNotNegative(quantity, at)...)
	}
	return errs
}

func metricValues(values map[string]resource.Quantity, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, name := range sorted(values) {
		errs = append(errs, quantityNotNegative(values[name], path.Key(name))...)
	}
	return errs
}

func quantityNotNegative(q resource.Quantity, path *field.Path) field.ErrorList {
	if q.Sign() < 0 {
		return field.ErrorList{field.Invalid(path, q.String(), "must not be negative")}
	}
	return nil
}

// atLeastOne refuses a number that, given, is not at least one: none at all is
// said by leaving the entry out.
func atLeastOne(n *int, path *field.Path) field.ErrorList {
	if n != nil && *n < 1 {
		return field.ErrorList{field.Invalid(path, *n, "must be at least 1")}
	}
	return nil
}
