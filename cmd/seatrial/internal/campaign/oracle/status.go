package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	register(Oracle{Name: "status", Rule: "SEA3016", Order: 24, Still: true, Judge: status})
}

// status finds what the status of the resource says of its pods that is not so: that all is well while none of them is
// ready and none will be, or that more are ready than are. It is asked where pods cannot become ready, of which the
// resource's status is what users, and the tools that wait for it, go by. What an operator says that has not looked at
// the change yet, as it says itself, or that it does not follow it, is about the resource as it was.
func status(c *Case) []Deviation {
	last := c.Last()
	cr := last.End[c.Key]
	failing := len(last.Rest.Failing) > 0 && len(c.Steps[0].Rest.Failing) == 0 // it has not come to the status
	if cr == nil || last.Refused != "" || !last.Rest.Still || failing || c.declined() || c.unlooked() || c.blocked() {
		return nil
	}
	runners := c.workloads(last.End)
	wants, counts := total(runners, last.End)
	if wants == 0 || counts >= wants || !slices.ContainsFunc(runners, func(key history.Key) bool { return hopeless(last.End, key) }) {
		return nil
	}
	if counts == 0 {
		return append(c.assured(runners), c.counted(runners)...)
	}
	return c.counted(runners)
}

// workloads are the keys of the workloads that came with the custom resource, and are to have pods.
func (c *Case) workloads(s history.State) []history.Key {
	return slices.DeleteFunc(s.Keys(), func(key history.Key) bool {
		want, runs := wanted(key.Resource, s[key])
		_, inner := controlled(key, s[key])
		return inner || !runs || want == 0 || !c.own(key)
	})
}

// total is how many pods workloads are to have, and how many are ready.
func total(workloads []history.Key, s history.State) (wants, counts int64) {
	for _, key := range workloads {
		want, _ := wanted(key.Resource, s[key])
		wants, counts = wants+want, counts+ready(key.Resource, s[key])
	}
	return wants, counts
}

// hopeless tells whether a workload has fewer pods ready than it is to have, and it is known what the others wait for.
func hopeless(s history.State, key history.Key) bool {
	want, _ := wanted(key.Resource, s[key])
	return ready(key.Resource, s[key]) < want && whyNot(s, key) != ""
}

// unlooked tells whether the status says itself that it is about the resource as it was.
func (c *Case) unlooked() bool {
	cr := c.Last().End[c.Key]
	seen, says := cr.Number("status", "observedGeneration")
	return says && seen < number(cr, "metadata", "generation")
}

// fine are the words for how far an operator is (see stages) that say that what it looks after runs.
var fine = []string{"ready", "running", "healthy", "available"}

// ofPods are conditions that say of all pods that they run; others with such an ending are about something else, as
// StorageReady.
var ofPods = regexp.MustCompile(`^(?:All|Cluster)?(?:Pods|Replicas|Instances|Members|Nodes|Workers|Servers|Deployment|StatefulSet|DaemonSet|Workloads?)?(?:Ready|Available|Healthy)$`)

// assured is what the status says to be well where no pod is ready: a condition, or how far the operator is.
func (c *Case) assured(workloads []history.Key) (out []Deviation) {
	cr, s := c.Last().End[c.Key], c.Last().End
	first := workloads[slices.IndexFunc(workloads, func(key history.Key) bool { return hopeless(s, key) })]
	add := func(path, says string, expected, found any) {
		out = append(out, Deviation{
			Object: c.Key, Path: path, Expected: expected, Found: found,
			Text: fmt.Sprintf("%s, and no pod of %s is ready%s", says, first, because(whyNot(s, first))),
		})
	}
	for _, item := range list(cr, "status", "conditions") {
		kind := item.Text("type")
		about, says := item.Number("observedGeneration")
		if item.Text("status") != "True" || !ofPods.MatchString(strings.TrimPrefix(kind, cr.Text("kind"))) || says && about < number(cr, "metadata", "generation") {
			continue
		}
		if c.before(func(o history.Object) bool { return conditionOf(o, kind).status == "True" }) {
			continue
		}
		add("status.conditions["+kind+"].status", fmt.Sprintf("condition %s of %s is True", kind, c.Key), "False", "True")
	}
	for _, name := range stages {
		said := cr.Text("status", name)
		if slices.Contains(fine, strings.ToLower(said)) && !c.before(func(o history.Object) bool { return o.Text("status", name) == said }) {
			add("status."+name, fmt.Sprintf("status.%s of %s is %s", name, c.Key, said), nil, said)
		}
	}
	return out
}

// before tells whether the resource said something of the seed before any pod of its workloads was ready: that is about
// what the operator has done, and never was about pods. Where the seed has none that become ready, it is not known.
func (c *Case) before(says func(history.Object) bool) bool {
	early, runs := false, false // it was said, and one was ready
	for _, e := range c.Steps[0].Events {
		if e.Object == nil {
			continue
		}
		if e.Key == c.Key {
			early = early || !runs && says(e.Object)
			continue
		}
		_, workload := wanted(e.Resource, e.Object)
		runs = runs || workload && c.own(e.Key) && ready(e.Resource, e.Object) > 0
	}
	return early && runs
}

// tally is what a field of a status is called that counts the pods that are ready.
var tally = regexp.MustCompile(`(?i)^(?:ready|available)(?:replicas|pods|instances|members|nodes|workers|servers|brokers)?$|^(?:replicas|pods|instances|members|nodes|workers|servers|brokers)(?:ready|available)$`)

// counted is what the status says how many pods are ready, and are not: a number that with the seed was that of all
// that were ready, or of those of one workload.
func (c *Case) counted(workloads []history.Key) (out []Deviation) {
	seed, last := c.Steps[0].End, c.Last().End
	said, _ := last[c.Key].At("status").(map[string]any)
	for _, name := range sortedKeys(said) {
		n, is := last[c.Key].Number("status", name)
		was, had := seed[c.Key].Number("status", name)
		if !tally.MatchString(name) || !is || !had || was == 0 {
			continue
		}
		may, known := c.mayBe(was)
		if !known || slices.ContainsFunc(may, func(m int64) bool { return n <= m }) {
			continue
		}
		wants, counts := total(workloads, last)
		out = append(out, Deviation{
			Object: c.Key, Path: "status." + name, Expected: slices.Max(may), Found: n,
			Text: fmt.Sprintf("status.%s of %s is %d, and %d of %d pods are ready", name, c.Key, n, counts, wants),
		})
	}
	return out
}

// mayBe lists how many pods are ready of what with the seed had so many: all workloads together, or one; known is false
// if none had.
func (c *Case) mayBe(was int64) (may []int64, known bool) {
	seed, last := c.Steps[0].End, c.Last().End
	before := c.workloads(seed)
	if _, counts := total(before, seed); counts == was {
		_, now := total(c.workloads(last), last)
		may = append(may, now)
	}
	for _, key := range before {
		if ready(key.Resource, seed[key]) == was {
			may = append(may, ready(key.Resource, last[key]))
		}
	}
	return may, len(may) > 0
}
