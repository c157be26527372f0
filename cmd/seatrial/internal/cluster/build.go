package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/effect"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/observer"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
)

// builder turns an Input into a World.
type builder struct {
	ctx       context.Context
	in        *manifest.Input
	w         *model.World
	admission *manifest.Admission
	problems  manifest.Problems
	memo      *model.Memo
	// nodeOf finds the given pods' nodes by name.
	nodeOf map[string]int
	// dropped are the scenario's events, by index, that are not to happen.
	dropped map[int]bool
	// rewrites are what events and appliers do to autoscalers and budgets, by the
	// path of the manifest; nil for one with a problem.
	rewrites map[string]*model.Rewrite
	// applies are those of Deployments, by workload.
	applies map[int][]applying
	// observer shows states to the rules of the scenario's own.
	observer *observer.Observer
	patches  []*patch
	creates  []*effect.Create
	// ruled are the rewrites of rules, by the path of the manifest or patch.
	ruled map[string][]*model.Rewrite
}

// build makes the World of an input. Its error is a manifest.Problems where
// the input is at fault.
func build(ctx context.Context, in *manifest.Input, o Options) (*model.World, error) {
	b := &builder{ctx: ctx, in: in, w: &model.World{Scenario: &scenario.Spec{}, Faults: &model.Faults{}}, rewrites: map[string]*model.Rewrite{}, applies: map[int][]applying{}, ruled: map[string][]*model.Rewrite{}}
	b.observer = &observer.Observer{World: b.w}
	if b.memo = o.memo; b.memo == nil {
		b.memo = model.NewMemo(0, nil)
	}
	if in.Scenario != nil {
		b.w.Scenario, b.w.ScenarioSource = &in.Scenario.Value.Spec, in.Scenario.Source
	}
	var err error
	if b.w.Scenario, b.dropped, err = narrow(b.w.Scenario, o); err != nil {
		return nil, err
	}
	if b.admission, err = in.Admission(); err != nil {
		return nil, err
	}
	b.objects()
	b.nodes()
	b.workloads()
	b.written()
	b.loads()
	b.events()
	b.appliers()
	b.own()
	b.foresee()
	b.closePatches()
	b.waits()
	for _, m := range rule.MisplacedParameters(b.w.Scenario) {
		b.fail(b.w.ScenarioSource, m.Path, "%s", m.Message)
	}
	b.w.Strict, b.w.Distinct = o.Strict || b.w.Scenario.Strict, o.distinct
	b.w.Crash = b.w.Scenario.NodeCrash
	if len(b.problems) > 0 {
		return nil, b.problems
	}
	if len(b.w.Nodes) == 0 {
		return nil, manifest.Problems{{Message: "no nodes: add Node objects, or spec.nodePools in a Scenario"}}
	}
	if n := len(b.w.Workloads); n >= model.NoWork {
		return nil, manifest.Problems{{Message: fmt.Sprintf("%d workloads are too many to check at once (at most %d): check parts of the folder", n, model.NoWork-1)}}
	}
	if n := len(b.w.Events); n >= 255 {
		return nil, manifest.Problems{{Location: b.w.ScenarioSource.Position("spec.events"), Message: fmt.Sprintf("%d events are too many (at most 254)", n)}}
	}
	if len(b.w.Workloads) == 0 {
		return nil, manifest.Problems{{Message: "no Deployment, ReplicaSet or Pod to check: name files that have one; templates have to be rendered before"}}
	}
	return b.w, b.kube()
}

func (b *builder) fail(source *manifest.Source, path, format string, args ...any) {
	b.problems = append(b.problems, manifest.Problem{Location: source.Position(path), Message: fmt.Sprintf(format, args...)})
}

func (b *builder) warn(source *manifest.Source, path, format string, args ...any) {
	b.w.Warnings = append(b.w.Warnings, finding.Warning{Location: source.Position(path), Message: fmt.Sprintf(format, args...)})
}

func (b *builder) objects() {
	for _, o := range b.in.Namespaces {
		b.w.Namespaces = append(b.w.Namespaces, o.Value)
	}
	for _, o := range b.in.Services {
		b.w.Services = append(b.w.Services, o.Value)
	}
	for _, o := range b.in.PriorityClasses {
		b.w.PriorityClasses = append(b.w.PriorityClasses, o.Value)
	}
	if b.in.SchedulerConfig != nil {
		b.w.SchedulerConfig = b.in.SchedulerConfig.Value
	}
	b.w.Descheduler = b.in.DeschedulerPolicy
}

// namespaces adds those that workloads live in but the input does not have,
// with the label that the API server puts on each.
func (b *builder) namespaces() {
	have := map[string]bool{}
	for i, ns := range b.w.Namespaces {
		have[ns.Name] = true
		c := ns.DeepCopy()
		metav1.SetMetaDataLabel(&c.ObjectMeta, corev1.LabelMetadataName, ns.Name)
		b.w.Namespaces[i] = c
	}
	for i := range b.w.Workloads {
		name := b.w.Workloads[i].Namespace
		if have[name] {
			continue
		}
		have[name] = true
		b.w.Namespaces = append(b.w.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{corev1.LabelMetadataName: name},
		}})
	}
}

// candidate is a node before nodes are ordered by class.
type candidate struct {
	spec model.NodeSpec
	pool string
	key  string
}

func (b *builder) nodes() {
	var all []candidate
	for i := range b.in.Nodes {
		o := &b.in.Nodes[i]
		all = append(all, candidate{spec: model.NodeSpec{Node: unmanaged(o.Value), Source: o.Source}})
	}
	for k := range b.w.Scenario.NodePools {
		all = append(all, b.pool(k)...)
	}
	mentioned := b.mentioned(all)
	for i := range all {
		// Fairness and events are about pools, so no class spans two of them.
		all[i].key = all[i].pool + "\x00" + classKey(all[i].spec.Node, mentioned)
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.spec.Node.Name, b.spec.Node.Name))
	})
	b.nodeOf = map[string]int{}
	class := -1
	for i := range all {
		if i == 0 || all[i].key != all[i-1].key {
			class++
		}
		c := &all[i]
		c.spec.Class = class
		if c.pool == "" {
			c.pool = "class " + c.spec.Node.Name
			if i > 0 && all[i].key == all[i-1].key {
				c.pool = b.w.Pools[b.w.Nodes[i-1].Pool]
			}
		}
		if c.spec.Pool = slices.Index(b.w.Pools, c.pool); c.spec.Pool < 0 {
			c.spec.Pool = len(b.w.Pools)
			b.w.Pools = append(b.w.Pools, c.pool)
		}
		if _, twice := b.nodeOf[c.spec.Node.Name]; twice {
			b.fail(c.spec.Source, c.spec.Path, "node %s is there twice", c.spec.Node.Name)
		}
		b.nodeOf[c.spec.Node.Name] = i
		b.w.Nodes = append(b.w.Nodes, c.spec)
	}
}

// unmanaged is a node without the taints that the node lifecycle controller
// puts on it and takes away: those are part of the state.
func unmanaged(n *corev1.Node) *corev1.Node {
	out := n.DeepCopy()
	if out.Labels[corev1.LabelHostname] == "" {
		metav1.SetMetaDataLabel(&out.ObjectMeta, corev1.LabelHostname, n.Name) // every kubelet does
	}
	out.Spec.Taints = slices.DeleteFunc(out.Spec.Taints, func(t corev1.Taint) bool {
		return t.Key == corev1.TaintNodeUnschedulable || t.Key == corev1.TaintNodeUnreachable || t.Key == corev1.TaintNodeNotReady
	})
	return out
}

// pool makes the nodes of the scenario's pool k.
func (b *builder) pool(k int) []candidate {
	p := &b.w.Scenario.NodePools[k]
	var out []candidate
	for n := 1; n <= p.Min; n++ {
		node := &corev1.Node{Spec: *p.Template.Spec.DeepCopy(), Status: *p.Template.Status.DeepCopy()}
		node.Name = fmt.Sprintf("%s-%d", p.Name, n)
		node.Labels = map[string]string{corev1.LabelHostname: node.Name}
		maps.Copy(node.Labels, p.Template.Metadata.Labels)
		if node.Status.Allocatable == nil {
			node.Status.Allocatable = node.Status.Capacity
		}
		out = append(out, candidate{
			pool: p.Name,
			spec: model.NodeSpec{Node: node, Source: b.w.ScenarioSource, Path: fmt.Sprintf("spec.nodePools[%d].template", k)},
		})
	}
	return out
}

// mentioned are the node names and hostnames that the input refers to one by
// one: such nodes are not interchangeable with others. Custom properties may
// tell all of them apart.
func (b *builder) mentioned(all []candidate) map[string]bool {
	out := map[string]bool{}
	note := func(spec *corev1.PodSpec) {
		out[spec.NodeName] = true
		out[spec.NodeSelector[corev1.LabelHostname]] = true
		for _, value := range affinityValues(spec.Affinity) {
			out[value] = true
		}
	}
	for i := range b.in.Deployments {
		note(&b.in.Deployments[i].Value.Spec.Template.Spec)
	}
	for i := range b.in.ReplicaSets {
		note(&b.in.ReplicaSets[i].Value.Spec.Template.Spec)
	}
	for _, raw := range b.manifests() {
		var d appsv1.Deployment
		if json.Unmarshal(raw, &d) == nil { // what is wrong with it is said where it is decoded
			note(&d.Spec.Template.Spec)
		}
	}
	b.mentionedByRules(out, note)
	for _, name := range b.policyHosts() {
		out[name] = true
	}
	for _, a := range b.addedAffinities() {
		note(&corev1.PodSpec{Affinity: &corev1.Affinity{NodeAffinity: a}})
	}
	for i := range b.in.Pods {
		if manifest.HeldBy(b.in.Pods[i].Value) != nil {
			continue
		}
		spec := b.in.Pods[i].Value.Spec.DeepCopy()
		spec.NodeName = "" // where it is, not where it must be
		note(spec)
	}
	for _, e := range b.w.Scenario.Events {
		for _, n := range e.Nodes {
			out[n] = true
		}
	}
	for _, c := range b.w.Scenario.NodeCrash {
		for _, n := range c.Nodes {
			out[n] = true
		}
	}
	for _, p := range b.w.Scenario.Properties {
		out[p.Node] = true
	}
	names, every := rule.MentionedNodes(b.w.Scenario.Properties)
	for _, n := range names {
		out[n] = true
	}
	for _, e := range b.ruleExpressions() {
		names, every = e.Nodes().Names, every || e.Nodes().All
		for _, n := range names {
			out[n] = true
		}
	}
	for i := range all {
		out[all[i].spec.Node.Name] = out[all[i].spec.Node.Name] || every
	}
	delete(out, "")
	return out
}

// manifests are those of the scenario's events and appliers, as JSON.
func (b *builder) manifests() [][]byte {
	var out [][]byte
	for _, e := range b.w.Scenario.Events {
		out = append(out, e.Manifest)
	}
	for _, a := range b.w.Scenario.Appliers {
		out = append(out, a.Manifest)
	}
	return out
}

// policyHosts are the hostnames in the descheduler policy's nodeSelector.
func (b *builder) policyHosts() []string {
	var policy struct {
		NodeSelector string `json:"nodeSelector"`
	}
	d := b.in.DeschedulerPolicy
	if d == nil || json.Unmarshal(d.Value, &policy) != nil {
		return nil
	}
	var out []string
	terms, _ := labels.ParseToRequirements(policy.NodeSelector) // judged where the policy is loaded
	for _, term := range terms {
		if term.Key() == corev1.LabelHostname {
			out = append(out, term.Values().List()...)
		}
	}
	return out
}

// addedAffinities are those that the scheduler's profiles add to every pod.
func (b *builder) addedAffinities() []*corev1.NodeAffinity {
	var out []*corev1.NodeAffinity
	if c := b.w.SchedulerConfig; c != nil {
		for _, p := range c.Profiles {
			for _, plugin := range p.PluginConfig {
				if args, ok := plugin.Args.(*schedulerconfig.NodeAffinityArgs); ok && args.AddedAffinity != nil {
					out = append(out, args.AddedAffinity)
				}
			}
		}
	}
	return out
}

// affinityValues are the node names and hostnames in an affinity to nodes.
func affinityValues(a *corev1.Affinity) []string {
	if a == nil || a.NodeAffinity == nil {
		return nil
	}
	var terms []corev1.NodeSelectorTerm
	if r := a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
		terms = append(terms, r.NodeSelectorTerms...)
	}
	for _, p := range a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		terms = append(terms, p.Preference)
	}
	var out []string
	for _, t := range terms {
		for _, e := range append(slices.Clone(t.MatchExpressions), t.MatchFields...) {
			if e.Key == corev1.LabelHostname || e.Key == metav1.ObjectNameField {
				out = append(out, e.Values...)
			}
		}
	}
	return out
}

// classKey is equal for nodes that differ in nothing but their name and their
// hostname label, which nothing mentions.
func classKey(n *corev1.Node, mentioned map[string]bool) string {
	hostname, labelled := n.Labels[corev1.LabelHostname]
	c := corev1.Node{Spec: n.Spec, Status: corev1.NodeStatus{
		Allocatable: n.Status.Allocatable, Images: n.Status.Images,
		Features: n.Status.Features, DeclaredFeatures: n.Status.DeclaredFeatures,
	}}
	for _, condition := range n.Status.Conditions {
		c.Status.Conditions = append(c.Status.Conditions, corev1.NodeCondition{Type: condition.Type, Status: condition.Status})
	}
	c.Spec.PodCIDR, c.Spec.PodCIDRs, c.Spec.ProviderID = "", nil, ""
	c.Labels = map[string]string{}
	for k, v := range n.Labels {
		if k != corev1.LabelHostname {
			c.Labels[k] = v
		}
	}
	identity := ""
	if mentioned[n.Name] || labelled && mentioned[hostname] || labelled && hostname != n.Name {
		identity = n.Name + "/" + hostname
	}
	raw, err := c.Marshal()
	if err != nil {
		return n.Name // never equal to another: no symmetry, still right
	}
	quantities := make([]string, 0, len(c.Status.Allocatable))
	for name, q := range c.Status.Allocatable {
		quantities = append(quantities, fmt.Sprintf("%s=%d", name, q.MilliValue()))
	}
	slices.Sort(quantities)
	return strings.Join(append(quantities, fmt.Sprint(labelled), identity, string(raw)), "\x00")
}
