package oracle

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "rollout", Rule: "SEA3009", Order: 65, Judge: rollout})
}

// rollout finds ConfigMaps and Secrets whose data changed while the pods that have it stayed as
// they were, template and all. The environment of a program, and files of a subPath, never change; other files a
// kubelet does change, and whether the program reads them again is not seen. Nor is whether an operator that wants to
// reach programs, and cannot here, would have told them. One that annotates the pods makes their kubelets look at files
// at once: it knows of programs that read them again. One that declines what is asked for, and says so, may have gone
// only a part of the way, as has one of which the API server has refused a write, and one whose reconciles go on
// failing, which they did not with the seed.
func rollout(c *Case) []Deviation {
	last := c.Last()
	if !last.Rest.Quiet || last.Refused != "" || c.misoperation() || c.declined() || last.refusal(c.Key) && !c.Steps[0].refusal(c.Key) {
		return nil
	}
	if len(last.Rest.Failing) > 0 && len(c.Steps[0].Rest.Failing) == 0 || unrolled(last.End[c.Key].At("spec")) {
		return nil
	}
	given := c.given()
	var out []Deviation
	for _, key := range last.End.Keys() {
		before, after := last.Start[key], last.End[key]
		want, runs := wanted(key.Resource, after)
		if _, inner := controlled(key, after); inner || !runs || want == 0 || before == nil || !c.own(key) || !c.sameTemplate(key) || !c.samePods(key) {
			continue
		}
		if reloads(after) || c.waits(after) {
			continue
		}
		used := references(after)
		for _, config := range sortedReferences(used) {
			object := history.Key{Resource: config.resource, Namespace: key.Namespace, Name: config.name}
			if given[last.End[object].Text("kind")+"/"+config.name] || c.returns(object, key) {
				continue
			}
			for _, ch := range c.data(object) {
				how := used[config].of(ch.Path)
				if how == "" || how == asFiles && (len(c.Unreachable) > 0 || c.tellsPods(key)) {
					continue
				}
				out = append(out, Deviation{
					Object: object, Path: ch.Path, Expected: ch.From, Found: ch.To, Place: "data of " + key.Resource,
					Text: fmt.Sprintf("%s of %s changes, and the pods of %s, which have it %s", ch.Path, object, key, how),
				})
				break
			}
		}
	}
	return out
}

// data are the changes of a ConfigMap's or Secret's data in the last step, of an object that was there before.
func (c *Case) data(key history.Key) []history.Change {
	before, after := c.Last().Start[key], c.Last().End[key]
	if before == nil || after == nil || !c.own(key) {
		return nil
	}
	return slices.DeleteFunc(flat(history.Diff(contents(before), contents(after))), func(ch history.Change) bool {
		return moment(ch.From) && moment(ch.To)
	})
}

// contents are the data of a ConfigMap or Secret.
func contents(o history.Object) history.Object {
	return history.Object{"data": o.At("data"), "binaryData": o.At("binaryData")}
}

// returns tells whether a ConfigMap or Secret has again what it had behind an earlier step, when the workload had the
// pods that it has: what they have read then.
func (c *Case) returns(object, workload history.Key) bool {
	last := c.Last()
	return slices.ContainsFunc(c.Steps[:len(c.Steps)-1], func(s *Step) bool {
		return s.End[object] != nil && slices.Equal(podUIDs(s.End, workload), podUIDs(last.End, workload)) &&
			len(history.Diff(contents(s.End[object]), contents(last.End[object]))) == 0
	})
}

// sameTemplate tells whether the last step left a workload's template as it was.
func (c *Case) sameTemplate(key history.Key) bool {
	template := func(s history.State) history.Object {
		m, _ := s[key].At("spec", "template").(map[string]any)
		return m
	}
	return len(history.Diff(template(c.Last().Start), template(c.Last().End))) == 0
}

// samePods tells whether a workload has the pods that it had, and has any.
func (c *Case) samePods(key history.Key) bool {
	before := podUIDs(c.Last().Start, key)
	return len(before) > 0 && slices.Equal(before, podUIDs(c.Last().End, key))
}

// podUIDs tells the pods of a workload apart, also from others of their names.
func podUIDs(s history.State, workload history.Key) (all []string) {
	for _, pod := range podsOf(s, workload) {
		all = append(all, pod.Name+" "+s[pod].Text("metadata", "uid"))
	}
	return all
}

// tellsPods tells whether the operator annotated a pod of a workload in the last step.
func (c *Case) tellsPods(key history.Key) bool {
	return slices.ContainsFunc(c.Last().Events, func(e history.Event) bool {
		return e.Actor == plan.Controller && e.Type == history.Update && e.Resource == pods && runner(c.Last().End, e.Key) == key &&
			!maps.Equal(labels(e.Previous, "metadata", "annotations"), labels(e.Object, "metadata", "annotations"))
	})
}

// again is how people say in a template that something is read again.
var again = regexp.MustCompile(`(?i)reload|inotify|\bHUP\b|watch-?(config|files?)|config-?watch`)

// reloads tells whether a workload says that its configuration is read again: by a container that is there for
// that, an argument, or an annotation.
func reloads(workload history.Object) bool {
	texts := slices.Concat(slices.Collect(maps.Keys(labels(workload, "metadata", "annotations"))), slices.Collect(maps.Keys(labels(workload, "spec", "template", "metadata", "annotations"))))
	for _, container := range append(list(workload, "spec", "template", "spec", "containers"), list(workload, "spec", "template", "spec", "initContainers")...) {
		texts = append(texts, container.Text("name"), container.Text("image"), fmt.Sprint(container.At("command"), container.At("args")))
	}
	return slices.ContainsFunc(texts, again.MatchString)
}

// rolls are what switches are called with which pods follow their configuration.
var rolls = regexp.MustCompile(`(?i)^(?:reload|restart|roll(?:out)?|redeploy|recreate)s?_?(?:pods?|workloads?)?_?(?:on|when|after|if)[a-z_]+$|^auto_?(?:reload|roll(?:out)?|redeploy)(?:s|_?pods?|_?enabled)?$`)

// unrolled tells whether such a switch is off anywhere in the spec of a resource: its user does not want it.
func unrolled(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if inner == false && rolls.MatchString(name) || unrolled(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, unrolled)
	}
	return false
}
