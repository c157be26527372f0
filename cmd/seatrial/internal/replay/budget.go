package replay

import (
	"encoding/json"

	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/seatrial/seatrial/history"
	"github.com/seatrial/seatrial/trace"
)

// resyncEvery is how often informers show controllers everything anew where pods have
// several budgets. When such a pod changes, the disruption controller recounts one of
// its budgets, whichever it comes upon, and of the others it hears with a resync: by
// default once or twice a day.
const resyncEvery = "1s"

// sharesBudgets tells whether a pod may have several budgets in a trace: those of the
// setup, or that somebody creates or applies.
func sharesBudgets(t *trace.Trace) bool {
	var found sharing
	for _, raw := range t.Setup.Objects {
		found.add(raw)
	}
	for _, w := range t.Setup.Workloads {
		_, namespace, _ := named(w.Object)
		for _, revision := range w.Revisions {
			found.template(namespace, revision.Template)
		}
	}
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			found.add(t.Steps[i].Acts[k].Manifest)
		}
	}
	return found.any()
}

// sharing are the budgets and the labels of pods that there are, in their namespaces.
type sharing struct {
	budgets []budget
	labels  []labelled
}

type budget struct {
	name     name
	selector labels.Selector
}

type labelled struct {
	namespace string
	labels    labels.Set
}

func (s *sharing) add(raw json.RawMessage) {
	var object history.Object
	if len(raw) == 0 || json.Unmarshal(raw, &object) != nil {
		return
	}
	namespace := object.Text("metadata", "namespace")
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	switch kindOf(raw) {
	case "PodDisruptionBudget":
		var b policyv1.PodDisruptionBudget
		if json.Unmarshal(raw, &b) != nil {
			return
		}
		if selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector); err == nil {
			s.budgets = append(s.budgets, budget{name{namespace, b.Name}, selector})
		}
	case "Pod":
		s.template(namespace, raw)
	default:
		template, _ := json.Marshal(object.At("spec", "template")) // a part of JSON
		s.template(namespace, template)
	}
}

func (s *sharing) template(namespace string, raw json.RawMessage) {
	var template struct {
		Metadata struct {
			Labels labels.Set `json:"labels"`
		} `json:"metadata"`
	}
	if len(raw) > 0 && json.Unmarshal(raw, &template) == nil && len(template.Metadata.Labels) > 0 {
		s.labels = append(s.labels, labelled{namespace, template.Metadata.Labels})
	}
}

// any tells whether two budgets select the same pods.
func (s *sharing) any() bool {
	for _, pods := range s.labels {
		of := map[name]bool{}
		for _, b := range s.budgets {
			if b.name.namespace == pods.namespace && b.selector.Matches(pods.labels) {
				of[b.name] = true
			}
		}
		if len(of) > 1 {
			return true
		}
	}
	return false
}
