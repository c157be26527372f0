package oracle

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/history"
)

// Mask is something in which a run may differ from its twin without being wrong. Each
// has a name, by which it can be taken away, and says why.
type Mask struct {
	Name, Reason string
	// Patterns are left out of all objects ([history.Mask]).
	Patterns []string
	// object tells whether an object of one of the states does not count.
	object func(v *view, s history.State, key history.Key) bool
	// change tells whether a change does not count.
	change func(v *view, d *history.Difference, change history.Change) bool
}

var masks []Mask

func mask(m Mask) {
	masks = append(masks, m)
	slices.SortFunc(masks, func(a, b Mask) int { return strings.Compare(a.Name, b.Name) })
}

// Masks lists what does not count where a run and its twin are compared, by name, for
// reports. None knows of any operator.
func Masks() []Mask { return slices.Clone(masks) }

// MaskNames are those of the masks, in the order of [Masks].
func MaskNames() (all []string) {
	for _, m := range masks {
		all = append(all, m.Name)
	}
	return all
}

func init() {
	mask(Mask{
		Name: "tool", Reason: "seatrial itself writes it",
		Patterns: []string{"**.annotations[seatrial.dev/*]"},
	})
	mask(Mask{
		Name:     "derived",
		Reason:   "Kubernetes' own controllers make it of another object, which is compared: ReplicaSets, ControllerRevisions, EndpointSlices, the addresses of Services, what of a quota is used",
		Patterns: []string{"ipaddresses.networking.k8s.io:", "resourcequotas:status.used"},
		object: func(_ *view, s history.State, key history.Key) bool {
			above, ok := controlled(key, s[key])
			switch key.Resource {
			case replicaSets:
				return ok && above.Resource == deployments
			case revisions: // who replaces a workload leaves its revisions without an owner for the next one
				labels, _ := s[key].At("metadata", "labels").(map[string]any)
				return ok || labels["controller.kubernetes.io/hash"] != nil || labels["controller-revision-hash"] != nil
			case slicesOf:
				return ok && above.Resource == services
			}
			return false
		},
	})
	mask(Mask{
		Name:   "rollouts",
		Reason: "it counts or names the rollouts that there were, or says in words how the last one went",
		Patterns: []string{
			"**.annotations[deployment.kubernetes.io/*]", "**.annotations[deprecated.daemonset.template.generation]",
			"**.labels[pod-template-hash]", "**.matchLabels[pod-template-hash]", "**.labels[controller-revision-hash]", "**.labels[pod-template-generation]",
			"*.apps:status.collisionCount", "statefulsets.apps:status.currentRevision", "statefulsets.apps:status.updateRevision",
			"statefulsets.apps:status.currentReplicas", "statefulsets.apps:status.updatedReplicas",
			"*.apps:status.conditions[*].message", "*.apps:status.conditions[*].reason",
			"*.batch:status.conditions[*].message", "*.autoscaling:status.conditions[*].message", "*.policy:status.conditions[*].message",
			"*.policy:status.conditions[*].reason", "*.autoscaling:status.conditions[*].reason",
		},
	})
	mask(Mask{
		Name:   "chance",
		Reason: "a scheduler, a kubelet or a load balancer chooses it anew for each pod and Service, or says how it goes, which the oracle health judges",
		Patterns: []string{
			"pods:spec.nodeName", "pods:status",
			"services:spec.healthCheckNodePort", "services:status", "horizontalpodautoscalers.autoscaling:status",
		},
	})
	mask(Mask{
		Name:     "client",
		Reason:   "a client's note of what it applied last: what came of it is compared",
		Patterns: []string{"metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]"},
	})
	mask(Mask{
		Name:   "finished",
		Reason: "Jobs that are over, and their pods: what they did is done, however often",
		object: func(_ *view, s history.State, key history.Key) bool {
			if key.Resource == pods {
				if above, ok := controlled(key, s[key]); ok {
					key = above
				}
			}
			o := s[key]
			return key.Resource == jobs && (conditionOf(o, "Complete").status == "True" || conditionOf(o, "Failed").status == "True")
		},
	})
}

func init() {
	mask(Mask{
		Name:   "times",
		Reason: "it is a moment, or how long something took, and says nothing of what there is",
		change: func(v *view, _ *history.Difference, ch history.Change) bool {
			return (ch.From != nil || ch.To != nil) && moment(ch.From) && moment(ch.To) && !v.asked(ch)
		},
	})
	mask(Mask{
		Name:   "counters",
		Reason: "it is the generation or resourceVersion of an object of its own run, or counts revisions",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			return counts(v, ch) && !v.asked(ch)
		},
	})
	mask(Mask{
		Name:   "absent-conditions",
		Reason: "a condition that is not there means the same as one that is not True (API conventions)",
		change: func(_ *view, _ *history.Difference, ch history.Change) bool {
			if !strings.HasPrefix(ch.Path, "status.conditions[") || ch.From != nil && ch.To != nil {
				return false
			}
			m, _ := ch.From.(map[string]any)
			if m == nil {
				m, _ = ch.To.(map[string]any)
			}
			return m != nil && m["status"] != "True" && !positive(history.Object(m).Text("type"))
		},
	})
	mask(Mask{
		Name:   "refused",
		Reason: "the operator says in the resource's status, in words of its own, that it does not do what is asked for",
		change: func(v *view, _ *history.Difference, _ history.Change) bool { return v.refused },
	})
}

// moment tells whether a value is nothing, or a time.
func moment(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		_, err := time.Parse(time.RFC3339, v)
		if err != nil {
			_, err = time.Parse("2006-01-02 15:04:05", v[:min(len(v), 19)])
		}
		return err == nil || epoch(v)
	case int64:
		return epoch(strconv.FormatInt(v, 10))
	}
	return false
}

// epoch tells whether a number is a time between 2001 and 2128 in seconds, or in
// smaller units.
func epoch(text string) bool {
	if _, err := strconv.ParseUint(text, 10, 64); err != nil {
		return false
	}
	return len(text) == 10 && text[0] < '5' || (len(text) == 13 || len(text) == 16 || len(text) == 19) && text[0] < '5'
}

var counting = regexp.MustCompile(`(?i)(generation|resource-?version|revision|restarts?)\]?"?\]?$`)

// counts tells whether a change is of a number that counts writes: of a field that is named so, or
// the generation or resourceVersion of the object, or of one of the same name.
func counts(v *view, ch history.Change) bool {
	from, fromOK := decimal(ch.From)
	to, toOK := decimal(ch.To)
	if !fromOK && ch.From != nil || !toOK && ch.To != nil || ch.From == nil && ch.To == nil {
		return false
	}
	if counting.MatchString(ch.Path) {
		return true
	}
	return fromOK && toOK && v.want.versions[from] != (history.Key{}) && v.want.versions[from] == v.got.versions[to]
}

func decimal(v any) (string, bool) {
	switch v := v.(type) {
	case int64:
		return strconv.FormatInt(v, 10), true
	case string:
		_, err := strconv.ParseUint(v, 10, 64)
		return v, err == nil
	}
	return "", false
}

// positive tells whether a condition is one that has to be True, by its name.
func positive(kind string) bool {
	for _, name := range []string{"Ready", "Available", "Healthy", "Succeeded", "Reconciled", "ReconcileSuccess", "Established"} {
		if strings.EqualFold(kind, name) || strings.HasSuffix(kind, name) {
			return true
		}
	}
	return false
}
