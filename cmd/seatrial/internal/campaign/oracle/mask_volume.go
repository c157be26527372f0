package oracle

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "volumes-bound",
		Reason: "which volume a claim is bound to is chance, and said of both",
		Patterns: []string{
			"persistentvolumeclaims:spec.volumeName", "persistentvolumeclaims:status",
			"persistentvolumeclaims:metadata.annotations[pv.kubernetes.io/*]", "persistentvolumeclaims:metadata.annotations[volume.*kubernetes.io/*]",
		},
		object: func(_ *view, s history.State, key history.Key) bool {
			return key.Resource == volumes && s[key].At("spec", "claimRef") != nil
		},
	})
	mask(Mask{
		Name:   "volumes-kept",
		Reason: "Kubernetes keeps the claims of a StatefulSet that gets smaller or other templates, unless its retention policy says Delete or the operator deletes others in the same step; an operator keeps others where the resource says that such things stay (reclaimPolicy: Retain); and what a claim has from its template cannot be changed, but that it may grow",
		object: func(v *view, s history.State, key history.Key) bool {
			return key.Resource == claims && (v.kept(s, key) || v.retained(s, key))
		},
		change: keptChange,
	})
}

// template is what a StatefulSet makes claims of.
type template struct {
	namespace, prefix string
	deletes           bool // when it is scaled down, or is gone
}

// templates are those of all StatefulSets that were seen in the run.
func (c *Case) templates() []template {
	var out []template
	add := func(key history.Key, o history.Object) {
		if key.Resource != statefulSets || o == nil {
			return
		}
		for _, claim := range list(o, "spec", "volumeClaimTemplates") {
			t := template{
				namespace: key.Namespace, prefix: claim.Text("metadata", "name") + "-" + key.Name + "-",
				deletes: o.Text("spec", "persistentVolumeClaimRetentionPolicy", c.used(key, claim.Text("metadata", "name"))) == "Delete",
			}
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	for _, s := range c.Steps {
		for _, state := range []history.State{s.Start, s.End} {
			for _, key := range state.Keys() {
				add(key, state[key])
			}
		}
		for _, e := range s.Events {
			add(e.Key, e.Object)
		}
	}
	return out
}

// used is what the policy of a StatefulSet calls what has become of a template behind the last step: it is there, and
// may be used by fewer pods; it went with the StatefulSet; or, which has no name, a StatefulSet without it is there.
func (c *Case) used(key history.Key, claim string) string {
	o, there := c.Last().End[key]
	switch {
	case !there:
		return "whenDeleted"
	case slices.ContainsFunc(list(o, "spec", "volumeClaimTemplates"), func(t history.Object) bool { return t.Text("metadata", "name") == claim }):
		return "whenScaled"
	}
	return ""
}

// made tells whether a claim is one that a StatefulSet makes, and whether that
// deletes it when it is not used any more.
func made(all []template, key history.Key) (is, deletes bool) {
	for _, t := range all {
		if rest, ok := strings.CutPrefix(key.Name, t.prefix); ok && t.namespace == key.Namespace {
			if _, err := strconv.ParseUint(rest, 10, 32); err == nil {
				is, deletes = true, t.deletes
			}
		}
	}
	return is, deletes
}

// kept tells whether a claim is there in the run and not in the twin because Kubernetes
// keeps it, so that no operator has to say so.
func (v *view) kept(s history.State, key history.Key) bool {
	if _, both := v.want.state[key]; both || v.got == nil {
		return false
	}
	_, have := s[key]
	is, deletes := made(v.templates, key)
	return have && is && !deletes && !v.c.reclaims(key)
}

// retained tells whether a claim is there in the run and not in the twin where the resource said that what holds data
// stays, before the last step or behind it: the operator has kept it.
func (v *view) retained(s history.State, key history.Key) bool {
	if v.got == nil {
		return false
	}
	_, both := v.want.state[key]
	_, have := s[key]
	last := v.c.Last()
	return have && !both && (stays("", last.Start[v.c.Key].At("spec"), true) || stays("", last.End[v.c.Key].At("spec"), true))
}

// reclaims tells whether the operator has deleted another claim of the same template for good in the last step. Who
// deletes those that are not used any more does not leave it to Kubernetes whether one is kept.
func (c *Case) reclaims(kept history.Key) bool {
	template := func(name string) string { return name[:strings.LastIndex(name, "-")+1] }
	last := c.Last()
	return slices.ContainsFunc(last.Events, func(e history.Event) bool {
		return e.Actor == plan.Controller && e.Resource == claims && e.Namespace == kept.Namespace && template(e.Name) == template(kept.Name) &&
			(e.Type == history.Delete || e.Object.Text("metadata", "deletionTimestamp") != "") && last.End[e.Key] == nil
	})
}

// keptChange tells whether a change is of what a claim has from the template that it was made of.
func keptChange(v *view, d *history.Difference, ch history.Change) bool {
	if d.Resource != claims {
		return false
	}
	if is, _ := made(v.templates, d.Key); !is {
		return false
	}
	if ch.Path != "spec.resources.requests.storage" {
		return true
	}
	from, fromErr := resource.ParseQuantity(text(ch.From))
	to, toErr := resource.ParseQuantity(text(ch.To))
	return fromErr == nil && toErr == nil && to.Cmp(from) > 0
}

func text(v any) string {
	s, _ := v.(string)
	return s
}
