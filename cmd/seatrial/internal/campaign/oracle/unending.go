package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// motion is how people say that something of their pods is under way.
var motion = regexp.MustCompile(`(?i)\b(being|in progress|progressing|rolling|rollout|rolled out|updating|upgrading|restarting|reschedul\w+|scaling)\b`)

// unending are conditions by which the operator says that pods are under way, with a resource that was never another as
// well, when all of them are there, as they are to be, and nothing moves any more: what it compares them with will
// never be so.
func (c *Case) unending() (out []Deviation) {
	last := c.Last()
	if c.Twin == nil || !last.Rest.Quiet || !c.Twin.Rest.Quiet || len(c.Unreachable) > 0 || c.Dials || c.unreached(last.Output) || !c.allDone() {
		return nil
	}
	for _, said := range conditions(last.End[c.Key]) {
		words := strings.TrimSpace(said.reason + " " + said.message)
		if said.status != "False" || !positive(said.kind) || !motion.MatchString(words) || c.unreached(words) || contains(words, c.sentinels()) {
			continue
		}
		if conditionOf(c.Steps[0].End[c.Key], said.kind).status != "True" || conditionOf(c.Twin.End[c.Key], said.kind).status != "False" {
			continue
		}
		out = append(out, Deviation{
			Object: c.Key, Place: "unending condition " + said.kind,
			Text: fmt.Sprintf("condition %s of %s stays False%s; all pods are ready and up to date, and nothing moves any more", said.kind, c.Key, because(words)),
		})
	}
	return out
}

// allDone tells whether the workloads of the resource, of which there are some, have all of the pods that they want as
// they want them.
func (c *Case) allDone() bool {
	last, some := c.Last().End, false
	if slices.ContainsFunc(c.problems(last), func(p problem) bool { return p.key != c.Key }) {
		return false
	}
	for _, key := range last.Keys() {
		o := last[key]
		want, runs := wanted(key.Resource, o)
		if _, inner := controlled(key, o); inner || !runs || !c.own(key) {
			continue
		}
		if number(o, "status", "observedGeneration") < number(o, "metadata", "generation") || upToDate(key.Resource, o) < want || ready(key.Resource, o) != want {
			return false
		}
		if number(o, "spec", "minReadySeconds") > 0 && available(key.Resource, o) < want {
			return false // they do not count yet, and it may take minutes until they do
		}
		some = some || want > 0
	}
	return some
}

// upToDate is how many pods of a workload are as its template says.
func upToDate(resource string, o history.Object) int64 {
	if resource == daemonSets {
		return number(o, "status", "updatedNumberScheduled")
	}
	return number(o, "status", "updatedReplicas")
}

// available is how many pods of a workload have been ready for as long as they have to be.
func available(resource string, o history.Object) int64 {
	if resource == daemonSets {
		return number(o, "status", "numberAvailable")
	}
	return number(o, "status", "availableReplicas")
}
