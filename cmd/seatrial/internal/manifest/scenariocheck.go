package manifest

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// checkScenario validates the Scenario by itself and against the manifests.
func (l *loader) checkScenario() {
	c := &scenarioCheck{loader: l, source: l.in.Scenario.Source, spec: &l.in.Scenario.Value.Spec}
	l.problems = append(l.problems, fieldProblems(c.suggest(c.spec.Validate()), schema.GroupVersionKind{}, c.source)...)
	c.spec.Default()
	c.collectNames()
	c.checkPools()
	for i, crash := range c.spec.NodeCrash {
		c.nodesExist(fmt.Sprintf("spec.nodeCrash[%d].nodes", i), crash.Nodes)
	}
	c.checkManifests()
	for i, r := range c.spec.Replicas {
		c.workloadExists(fmt.Sprintf("spec.replicas[%d].workload", i), &r.Workload)
	}
	for i, load := range c.spec.Load {
		c.workloadExists(fmt.Sprintf("spec.load[%d].workload", i), &load.Workload)
	}
	for i, e := range c.spec.Events {
		path := fmt.Sprintf("spec.events[%d]", i)
		c.nodesExist(path+".nodes", e.Nodes)
		c.workloadExists(path+".workload", e.Workload)
		if e.Load != nil {
			c.workloadExists(path+".load.workload", &e.Load.Workload)
		}
	}
	for i := range c.spec.Events {
		if e := &c.spec.Events[i]; e.Type == scenario.EventCustom {
			c.checkRule(fmt.Sprintf("spec.events[%d]", i), e.Rule())
		}
	}
	for i := range c.spec.Actors {
		c.checkRule(fmt.Sprintf("spec.actors[%d]", i), c.spec.Actors[i].Rule())
	}
	for i := range c.spec.Properties {
		c.checkProperty(fmt.Sprintf("spec.properties[%d]", i), &c.spec.Properties[i])
	}
}

type scenarioCheck struct {
	*loader
	source    *Source
	spec      *scenario.Spec
	nodes     []string
	workloads []string
}

func (c *scenarioCheck) failAt(path, format string, args ...any) {
	c.fail(c.source, path, "%s: %s", path, fmt.Sprintf(format, args...))
}

// suggest adds the likely meaning to values that are not supported.
func (c *scenarioCheck) suggest(errs field.ErrorList) field.ErrorList {
	types := make([]string, 0, len(scenario.EventTypes()))
	for _, t := range scenario.EventTypes() {
		types = append(types, string(t))
	}
	for _, e := range errs {
		t, ok := e.BadValue.(scenario.EventType)
		if ok && e.Type == field.ErrorTypeNotSupported {
			if near := spelling.Nearest(string(t), types); near != "" {
				e.Detail += fmt.Sprintf("; did you mean %s?", near)
			}
		}
	}
	return errs
}

// collectNames lists the nodes, pools and workloads that may be named.
func (c *scenarioCheck) collectNames() {
	for _, o := range c.in.Nodes {
		c.nodes = append(c.nodes, o.Value.Name)
	}
	for _, p := range c.spec.NodePools {
		c.nodes = append(c.nodes, p.Name)
	}
	for _, w := range c.in.workloads() {
		c.workloads = append(c.workloads, w.String())
	}
	// Owned ReplicaSets and pods can be named too.
	for _, o := range c.in.ReplicaSets {
		c.workloads = append(c.workloads, o.Source.object())
	}
	for _, o := range c.in.Pods {
		c.workloads = append(c.workloads, o.Source.object())
	}
}

// poolNode says whether name is that of a node of a pool: <pool>-<number>.
func (c *scenarioCheck) poolNode(name string) bool {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return false
	}
	n, err := strconv.Atoi(name[i+1:])
	return err == nil && slices.ContainsFunc(c.spec.NodePools, func(p scenario.NodePool) bool {
		return p.Name == name[:i] && n >= 1 && n <= p.Max && name[i+1:] == strconv.Itoa(n)
	})
}

// nodesExist refuses names that are neither of a node nor of a pool.
func (c *scenarioCheck) nodesExist(path string, nodes []string) {
	for i, name := range nodes {
		c.nodeExists(fmt.Sprintf("%s[%d]", path, i), name)
	}
}

func (c *scenarioCheck) nodeExists(path, name string) {
	if slices.Contains(c.nodes, name) || c.poolNode(name) {
		return
	}
	c.failAt(path, "no node and no pool is called %q%s", name, didYouMean(spelling.Nearest(name, c.nodes)))
}

func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return ", did you mean " + near + "?"
}

// workloadExists refuses the name of a workload that is not in the input and
// that no event creates.
func (c *scenarioCheck) workloadExists(path string, w *scenario.Workload) {
	if w == nil || w.Name == "" || slices.Contains(c.workloads, w.String()) {
		return
	}
	if k := w.WithDefaults().Kind; k != "Deployment" && k != "ReplicaSet" && k != "Pod" {
		return // the validation has said so
	}
	c.failAt(path, "no %s in the input%s", w, didYouMean(spelling.Nearest(w.String(), c.workloads)))
}

// checkPools validates the nodes of the pools as the API server would.
func (c *scenarioCheck) checkPools() {
	for i, p := range c.spec.NodePools {
		path := fmt.Sprintf("spec.nodePools[%d]", i)
		for n := 1; n <= min(p.Max, 1000); n++ {
			name := fmt.Sprintf("%s-%d", p.Name, n)
			if slices.ContainsFunc(c.in.Nodes, func(o Object[*corev1.Node]) bool { return o.Value.Name == name }) {
				c.failAt(path+".name", "the pool's node %s stands among the manifests already", name)
				break
			}
		}
		node := &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: "node", Labels: p.Template.Metadata.Labels},
			Spec:       *p.Template.Spec.DeepCopy(), Status: *p.Template.Status.DeepCopy(),
		}
		legacyscheme.Scheme.Default(node)
		c.spec.NodePools[i].Template.Status.Allocatable = node.Status.Allocatable
		internal := &core.Node{}
		if err := legacyscheme.Scheme.Convert(node, internal, nil); err != nil {
			c.failAt(path, "%v", err)
			continue
		}
		errs := corevalidation.ValidateNode(internal)
		for _, p := range fieldProblems(errs, schema.GroupVersionKind{Kind: "Node"}, c.source.within(path+".template")) {
			p.Message = path + ".template." + p.Message
			c.problems = append(c.problems, p)
		}
	}
}

// checkManifests decodes the manifests that events and appliers carry. What
// events create can be named as well.
func (c *scenarioCheck) checkManifests() {
	for i, e := range c.spec.Events {
		if !isObject(e.Manifest) {
			continue
		}
		path := fmt.Sprintf("spec.events[%d].manifest", i)
		group, source := c.written(path, e.Manifest, e.Type)
		if source == nil {
			continue
		}
		first := c.first[group+" "+source.identity()]
		switch {
		case e.Type == scenario.EventCreate && first != nil:
			place := first.Position("")
			c.failAt(path, "%s exists already (%s): an event of type create needs another name, or use apply", source.object(), place.FileLine())
		case e.Type == scenario.EventRollout && first == nil:
			c.failAt(path, "no %s in the input to roll out", source.object())
		case e.Type == scenario.EventRollout && e.Workload != nil && e.Workload.String() != source.object():
			c.failAt(path, "%s is not the event's workload, %s", source.object(), e.Workload)
		case group == "apps":
			c.workloads = append(c.workloads, source.object())
		}
	}
	for i := range c.spec.Events {
		c.checkCreation(fmt.Sprintf("spec.events[%d]", i), c.spec.Events[i].Rule())
	}
	for i := range c.spec.Actors {
		c.checkCreation(fmt.Sprintf("spec.actors[%d]", i), c.spec.Actors[i].Rule())
	}
	for i, a := range c.spec.Appliers {
		if !isObject(a.Manifest) {
			continue
		}
		path := fmt.Sprintf("spec.appliers[%d].manifest", i)
		if group, source := c.written(path, a.Manifest, scenario.EventApply); group == "apps" && c.first["apps "+source.identity()] == nil {
			c.failAt(path, "no %s in the input to apply it to", source.object())
		}
	}
}

// written decodes an object that an event of the type, or an applier, writes, and
// returns its API group; the source is nil after a problem.
func (c *scenarioCheck) written(path string, raw []byte, by scenario.EventType) (group string, source *Source) {
	source = c.source.within(path)
	object, problems := c.in.decodeWithin(raw, source)
	for _, p := range problems {
		p.Location.Object = c.source.object()
		c.problems = append(c.problems, p)
	}
	if len(problems) > 0 {
		return "", nil
	}
	_, deployment := object.(*appsv1.Deployment)
	if by == scenario.EventRollout && !deployment {
		c.failAt(path, "only a Deployment can be rolled out, not a %s", source.Kind)
		return "", nil
	}
	switch o := object.(type) {
	case *appsv1.Deployment:
		c.in.later.Deployments = append(c.in.later.Deployments, Object[*appsv1.Deployment]{o, raw, source})
		return "apps", source
	case *autoscalingv2.HorizontalPodAutoscaler:
		c.in.later.Autoscalers = append(c.in.later.Autoscalers, Object[*autoscalingv2.HorizontalPodAutoscaler]{o, raw, source})
		return "autoscaling", source
	case *policyv1.PodDisruptionBudget:
		c.in.later.DisruptionBudgets = append(c.in.later.DisruptionBudgets, Object[*policyv1.PodDisruptionBudget]{o, raw, source})
		return "policy", source
	}
	c.failAt(path, "only a Deployment, a HorizontalPodAutoscaler or a PodDisruptionBudget can be applied or created, not a %s: "+
		"check a second folder in which the %s is as it will be", source.Kind, source.Kind)
	return "", nil
}

// isObject says whether a manifest is there and of the right shape; otherwise
// the validation has said so.
func isObject(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}

// decodeWithin decodes one object of a modelled kind at a source that says
// only where it stands.
func (in *Input) decodeWithin(raw []byte, source *Source) (runtime.Object, Problems) {
	h := headerOf(raw)
	source.Kind, source.Namespace, source.Name = h.Kind, h.Metadata.Namespace, h.Metadata.Name
	gv, err := schema.ParseGroupVersion(h.APIVersion)
	if err != nil || h.APIVersion == "" || h.Kind == "" {
		return nil, Problems{source.problem("", "expected an object with apiVersion and kind")}
	}
	if modelKindOf(gv.Group, h.Kind) == nil {
		return nil, Problems{source.problem("kind", "kind %s (%s) is not modelled: events and appliers write modelled kinds only", h.Kind, h.APIVersion)}
	}
	object, problems := decodeObject(raw, gv.WithKind(h.Kind), source)
	if len(problems) > 0 {
		return nil, problems
	}
	admission, err := in.Admission()
	if err != nil {
		return nil, Problems{source.problem("", "%v", err)}
	}
	switch o := object.(type) {
	case *appsv1.Deployment:
		problems = admission.checkTemplate(&o.Spec.Template, o.Namespace, source)
	case *appsv1.ReplicaSet:
		problems = admission.checkTemplate(&o.Spec.Template, o.Namespace, source)
	case *corev1.Pod:
		if err := admission.Admit(o); err != nil {
			problems = Problems{source.problem("spec.priorityClassName", "spec.priorityClassName: %v", err)}
		}
	}
	return object, problems
}

// checkProperty checks the names in a property, and its expressions.
func (c *scenarioCheck) checkProperty(path string, p *scenario.Property) {
	rules := c.options.Rules
	if p.Rule != "" && len(rules) > 0 && !slices.Contains(rules, p.Rule) {
		c.failAt(path+".rule", "no rule %q%s", p.Rule, didYouMean(spelling.Nearest(p.Rule, rules)))
	}
	c.workloadExists(path+".workload", p.Workload)
	if p.Node != "" {
		c.nodeExists(path+".node", p.Node)
	}
	expressions := []scenario.Expression{{Path: path + ".always", Text: p.Always}, {Path: path + ".eventuallyAlways", Text: p.EventuallyAlways}}
	if p.LeadsTo != nil {
		expressions = append(expressions, scenario.Expression{Path: path + ".leadsTo.from", Text: p.LeadsTo.From},
			scenario.Expression{Path: path + ".leadsTo.to", Text: p.LeadsTo.To})
	}
	c.checkExpressions(expressions)
}

// checkExpressions checks those that are there.
func (c *scenarioCheck) checkExpressions(expressions []scenario.Expression) {
	check := c.options.ValidateExpression
	if check == nil {
		return
	}
	for _, e := range expressions {
		if e.Text == "" {
			continue
		}
		if err := guard(func() error { return check(e) }); err != nil {
			c.failAt(e.Path, "%v", err)
		}
	}
}

// checkRule checks the names and the expressions in the rule of an actor or
// event.
func (c *scenarioCheck) checkRule(path string, r scenario.Rule) {
	c.checkExpressions(r.Expressions(path))
	if r.Then == nil {
		return
	}
	name, target := r.Then.Target()
	if target != nil {
		at := path + ".then." + name
		c.workloadExists(at+".workload", target.Workload)
		c.nodesExist(at+".nodes", target.Nodes)
	}
}

// checkCreation decodes what a rule creates, which can be named from then on.
func (c *scenarioCheck) checkCreation(path string, r scenario.Rule) {
	if r.Then == nil || !isObject(r.Then.Create) {
		return
	}
	path += ".then.create"
	source := c.source.within(path)
	object, problems := c.in.decodeWithin(r.Then.Create, source)
	for _, p := range problems {
		p.Location.Object = c.source.object()
		c.problems = append(c.problems, p)
	}
	if len(problems) > 0 {
		return
	}
	switch object.(type) {
	case *appsv1.Deployment, *corev1.Pod:
		c.workloads = append(c.workloads, source.object())
	case *autoscalingv2.HorizontalPodAutoscaler, *policyv1.PodDisruptionBudget:
	default:
		c.failAt(path, "only a Deployment, a Pod, a HorizontalPodAutoscaler or a PodDisruptionBudget can be created, not a %s", source.Kind)
	}
}
