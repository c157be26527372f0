package manifest

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/informers"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	schedulinghelpers "k8s.io/kubernetes/pkg/apis/scheduling/v1"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/priority"
)

// Admission does to a new pod what the API server does before it stores it:
// the admission plugins that are on by default and change what the model sees
// (Priority, DefaultTolerationSeconds), then the pod strategy's own changes
// (match label keys merged into selectors, status.phase Pending, QoS class).
// The plugins are the API server's own. Not safe for concurrent use.
type Admission struct {
	priority    *priority.Plugin
	tolerations *defaulttolerationseconds.Plugin
	classes     map[string]bool
}

// NewAdmission makes an Admission that knows the given priority classes and
// the two that every cluster has.
func NewAdmission(classes []*schedulingv1.PriorityClass) (*Admission, error) {
	a := &Admission{
		priority:    priority.NewPlugin(),
		tolerations: defaulttolerationseconds.NewDefaultTolerationSeconds(),
		classes:     map[string]bool{},
	}
	factory := informers.NewSharedInformerFactory(nil, 0)
	indexer := factory.Scheduling().V1().PriorityClasses().Informer().GetIndexer()
	for _, class := range append(schedulinghelpers.SystemPriorityClasses(), classes...) {
		a.classes[class.Name] = true
		class = class.DeepCopy()
		legacyscheme.Scheme.Default(class) // the built-in ones come without their preemption policy
		if err := indexer.Add(class); err != nil {
			return nil, fmt.Errorf("index PriorityClass %s: %w", class.Name, err)
		}
	}
	a.priority.SetExternalKubeInformerFactory(factory)
	a.tolerations.InspectFeatureGates(utilfeature.DefaultFeatureGate)
	return a, nil
}

// Admission is the admission of a cluster that has the input's priority
// classes.
func (in *Input) Admission() (*Admission, error) {
	var classes []*schedulingv1.PriorityClass
	for _, o := range in.PriorityClasses {
		classes = append(classes, o.Value)
	}
	return NewAdmission(classes)
}

// Admit changes a pod that is about to be created, in place. An error says why
// the API server would refuse it. A status that the pod already has is kept.
func (a *Admission) Admit(pod *corev1.Pod) error {
	if name := pod.Spec.PriorityClassName; name != "" && !a.classes[name] {
		return fmt.Errorf("no PriorityClass %s in the input", name)
	}
	ctx := context.Background()
	legacyscheme.Scheme.Default(pod)
	internal := &core.Pod{}
	if err := legacyscheme.Scheme.Convert(pod.DeepCopy(), internal, nil); err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	attributes := admission.NewAttributesRecord(internal, nil, core.SchemeGroupVersion.WithKind("Pod"),
		pod.Namespace, pod.Name, corev1.SchemeGroupVersion.WithResource("pods"), "",
		admission.Create, &metav1.CreateOptions{}, false, nil)
	for _, plugin := range []admission.MutationInterface{a.priority, a.tolerations} {
		if err := plugin.Admit(ctx, attributes, nil); err != nil {
			return err
		}
	}
	modelKindOf("", "Pod").creation.PrepareForCreate(ctx, internal)
	admitted := &corev1.Pod{}
	if err := legacyscheme.Scheme.Convert(internal, admitted, nil); err != nil {
		return fmt.Errorf("convert: %w", err)
	}
	admitted.TypeMeta = pod.TypeMeta
	if !apiequality.Semantic.DeepEqual(pod.Status, corev1.PodStatus{}) {
		admitted.Status = pod.Status
	}
	*pod = *admitted
	return nil
}

// resolvePriorities checks the priority classes and admits the pods that are
// not from a running cluster; those of one went through its admission.
func (l *loader) resolvePriorities() {
	var global *Object[*schedulingv1.PriorityClass]
	for i := range l.in.PriorityClasses {
		class := &l.in.PriorityClasses[i]
		if !class.Value.GlobalDefault {
			continue
		}
		if global != nil {
			place := global.Source.Position("globalDefault")
			l.fail(class.Source, "globalDefault", "globalDefault: PriorityClass %s is the default already, in %s",
				global.Value.Name, place.FileLine())
		} else {
			global = class
		}
	}
	l.in.inferPriorities()
	admission, err := l.in.Admission()
	if err != nil {
		l.problems = append(l.problems, Problem{Message: err.Error()})
		return
	}
	for _, o := range l.in.Pods {
		if o.Value.UID != "" && o.Value.Spec.Priority != nil {
			continue
		}
		if err := admission.Admit(o.Value); err != nil {
			l.fail(o.Source, "spec.priorityClassName", "spec.priorityClassName: %v", err)
		}
	}
	for _, o := range l.in.Deployments {
		l.problems = append(l.problems, admission.checkTemplate(&o.Value.Spec.Template, o.Value.Namespace, o.Source)...)
	}
	for _, o := range l.in.ReplicaSets {
		l.problems = append(l.problems, admission.checkTemplate(&o.Value.Spec.Template, o.Value.Namespace, o.Source)...)
	}
}

// inferPriorities takes the value of a priority class that a template names and
// that is not in the input from the pods of a running cluster that have it: a
// dump of pods seldom comes with its classes.
func (in *Input) inferPriorities() {
	wanted := map[string]bool{}
	for _, o := range in.Deployments {
		wanted[o.Value.Spec.Template.Spec.PriorityClassName] = true
	}
	for _, o := range in.ReplicaSets {
		wanted[o.Value.Spec.Template.Spec.PriorityClassName] = true
	}
	for _, o := range in.PriorityClasses {
		delete(wanted, o.Value.Name)
	}
	for _, class := range schedulinghelpers.SystemPriorityClasses() {
		delete(wanted, class.Name)
	}
	for _, o := range in.Pods {
		s := &o.Value.Spec
		if name := s.PriorityClassName; name != "" && wanted[name] && o.Value.UID != "" && s.Priority != nil {
			delete(wanted, name)
			class := &schedulingv1.PriorityClass{Value: *s.Priority, PreemptionPolicy: s.PreemptionPolicy}
			class.Name = name
			source := &Source{Kind: "PriorityClass", Name: name, file: o.Source.file, origin: o.Source.origin, root: o.Source.root, prefix: joinPath(o.Source.prefix, "spec.priorityClassName")}
			in.PriorityClasses = append(in.PriorityClasses, Object[*schedulingv1.PriorityClass]{Value: class, Source: source})
			in.warn(o.Source, "spec.priorityClassName", "PriorityClass %s is not in the input: its value is taken to be the %d of %s", name, *s.Priority, o.Source.object())
		}
	}
}

// checkTemplate says whether pods of a template would be admitted. The
// template itself stays as it is, as in a cluster.
func (a *Admission) checkTemplate(template *corev1.PodTemplateSpec, namespace string, source *Source) Problems {
	pod := PodOf(template, namespace, "pod")
	if err := a.Admit(pod); err != nil {
		const path = "spec.template.spec.priorityClassName"
		return Problems{source.problem(path, "%s: %v", path, err)}
	}
	return nil
}

// PodOf is a pod as its controller would create it from a template, before
// admission and without an owner.
func PodOf(template *corev1.PodTemplateSpec, namespace, name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: *template.Spec.DeepCopy()}
	pod.Name, pod.GenerateName, pod.Namespace = name, "", namespace
	return pod
}

// Decode decodes one object of a modelled kind, given as JSON, with defaulting
// and validation as for a document of the input: for what is applied or
// created during a check. Positions are those of the Scenario that holds it at
// path. The object is of the version that the model uses.
func (in *Input) Decode(raw []byte, path string) (runtime.Object, *Source, error) {
	source := &Source{}
	if in.Scenario != nil {
		source = in.Scenario.Source.within(path)
	}
	value, problems := in.decodeWithin(raw, source)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	return value, source, nil
}
