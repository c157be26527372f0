// Package remedy knows kinds of changes that may mend what a check finds: one file
// per remedy. A remedy lists candidates and need not know whether they help; that is
// checked. None takes away what the user asks for: budgets, autoscalers, workloads,
// events and properties stay.
package remedy

import (
	"cmp"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/suggestion/edit"
	"github.com/seatrial/seatrial/finding"
)

// Remedy is one kind of change.
type Remedy struct {
	// Name is kebab-case, Doc one sentence for the manual.
	Name, Doc string
	// Candidates are the changes of this kind that could matter to a violation, in any
	// order.
	Candidates func(c *Case) []Candidate
}

// Candidate is a change that may help.
type Candidate struct {
	// Remedy is the name of its kind.
	Remedy string
	// Title is a verb phrase, Cost one sentence.
	Title, Cost string
	// Rank says how much is given up, from 0: what nobody misses is below 10, what
	// weakens a wish below 20, a promise below 30, a hard constraint below 40; what
	// costs machines or what pods are promised of them is above.
	Rank int
	// Fields is how many fields a reader would say are changed.
	Fields int
	Edits  []edit.Edit
}

// Case is a violation, and the input that it was found in.
type Case struct {
	In     *manifest.Input
	Result finding.Result
	// objects are named by the violation: Kind namespace/name.
	objects map[string]bool
}

// For makes a case.
func For(in *manifest.Input, r finding.Result) *Case {
	c := &Case{In: in, Result: r, objects: map[string]bool{r.Subject: true}}
	for _, cause := range r.Causes {
		c.objects[cause.Location.Object] = true
	}
	return c
}

var registered []*Remedy

// register adds a remedy from the initialisation of the file that defines it, so that
// adding one touches no list.
func register(r *Remedy) *Remedy {
	registered = append(registered, r)
	return r
}

// All returns every remedy, by name.
func All() []*Remedy {
	out := slices.Clone(registered)
	slices.SortFunc(out, func(a, b *Remedy) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Candidates are those of all remedies, the smallest first.
func Candidates(c *Case) []Candidate {
	var out []Candidate
	for _, r := range All() {
		for _, one := range r.Candidates(c) {
			one.Remedy = r.Name
			if one.Fields == 0 {
				one.Fields = len(one.Edits)
			}
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Fields, b.Fields), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Title, b.Title))
	})
	return out
}

// is tells whether the violation is of one of the rules.
func (c *Case) is(rules ...string) bool { return slices.Contains(rules, c.Result.Rule) }

// field is a place in an object as the user wrote it.
type field struct {
	file string
	line int
	path edit.Path
}

// in is a field of the object of a source.
func in(s *manifest.Source, path ...any) field {
	file, line, prefix := s.Written()
	return field{file, line, append(prefixOf(prefix), path...)}
}

// prefixOf is the path of an item in the lists of its document: items[2].
func prefixOf(prefix string) edit.Path {
	var out edit.Path
	for prefix != "" {
		name, rest, _ := strings.Cut(prefix, "[")
		digits, after, _ := strings.Cut(rest, "]")
		n := 0
		for _, d := range digits {
			n = 10*n + int(d-'0')
		}
		out, prefix = append(out, strings.TrimPrefix(name, "."), n), after
	}
	return out
}

func (f field) at(more ...any) field { return field{f.file, f.line, f.path.At(more...)} }

func (f field) set(value *node) edit.Edit {
	return edit.Edit{File: f.file, Line: f.line, Path: f.path, Value: value}
}

func (f field) remove() edit.Edit {
	return edit.Edit{File: f.file, Line: f.line, Path: f.path, Op: edit.Remove}
}

// deployment, budget, autoscaler and node are objects with their places.
type (
	deployment = manifest.Object[*appsv1.Deployment]
	budget     = manifest.Object[*policyv1.PodDisruptionBudget]
	autoscaler = manifest.Object[*autoscalingv2.HorizontalPodAutoscaler]
	machine    = manifest.Object[*corev1.Node]
)

// title is Kind namespace/name, as reports have it.
func title(kind, namespace, name string) string {
	if namespace == "" {
		return kind + " " + name
	}
	return kind + " " + namespace + "/" + name
}

func nameOf(d *deployment) string { return title("Deployment", d.Value.Namespace, d.Value.Name) }

func (c *Case) names(kind string, o metav1.Object) bool {
	return c.objects[title(kind, o.GetNamespace(), o.GetName())]
}

// deployments are those that the violation is about: named by it, or selected by a
// budget or scaled by an autoscaler that is; all if there is none.
func (c *Case) deployments() []*deployment {
	var out, all []*deployment
	for i := range c.In.Deployments {
		d := &c.In.Deployments[i]
		all = append(all, d)
		named := c.names("Deployment", d.Value)
		for k := range c.In.DisruptionBudgets {
			b := &c.In.DisruptionBudgets[k]
			named = named || c.names("PodDisruptionBudget", b.Value) && covers(b.Value, d.Value)
		}
		for k := range c.In.Autoscalers {
			h := &c.In.Autoscalers[k]
			named = named || c.names("HorizontalPodAutoscaler", h.Value) && scales(h.Value, d.Value)
		}
		if named {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// budgets are those of the deployments that the violation is about.
func (c *Case) budgets() []*budget {
	var out []*budget
	for i := range c.In.DisruptionBudgets {
		b := &c.In.DisruptionBudgets[i]
		if c.names("PodDisruptionBudget", b.Value) || slices.ContainsFunc(c.deployments(), func(d *deployment) bool { return covers(b.Value, d.Value) }) {
			out = append(out, b)
		}
	}
	return out
}

// autoscaler is that of a deployment, or nil.
func (c *Case) autoscaler(d *deployment) *autoscaler {
	for i := range c.In.Autoscalers {
		if h := &c.In.Autoscalers[i]; scales(h.Value, d.Value) {
			return h
		}
	}
	return nil
}

func scales(h *autoscalingv2.HorizontalPodAutoscaler, d *appsv1.Deployment) bool {
	to := h.Spec.ScaleTargetRef
	return h.Namespace == d.Namespace && to.Kind == "Deployment" && to.Name == d.Name
}

func covers(b *policyv1.PodDisruptionBudget, d *appsv1.Deployment) bool {
	s, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
	return err == nil && b.Namespace == d.Namespace && s.Matches(labels.Set(d.Spec.Template.Labels))
}
