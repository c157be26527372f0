package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

// valuesMin is how many values of a property have to be without effect before it is said that nothing comes of it, if
// it has so many beside that of the seed.
const valuesMin = 2

// decided tells whether enough values of a property were tried without effect. One that can be two things has one other
// if the seed has it; if not, either may be what its absence means, and both have to be tried. Nothing is said of a
// property that was not tried in each mode of the resource in which anything was.
func (t *Tracer) decided(property string, unused int) bool {
	if !t.inAllModes(property) {
		return false
	}
	if !t.binary(property) {
		return unused >= valuesMin
	}
	values, had := map[string]bool{}, false
	for _, p := range t.probes[property] {
		had = had || p.had
		if c := p.operation.Changes[0]; !c.Remove {
			values[fmt.Sprint(c.Value)] = true
		}
	}
	return unused > 0 && (had || len(values) > 1)
}

// binary tells whether a property can only be one of two things.
func (t *Tracer) binary(property string) bool {
	p := t.properties[property]
	return p != nil && p.Schema != nil && (p.Schema.Type == "boolean" || p.Schema.ValueValidation != nil && len(p.Schema.ValueValidation.Enum) == 2)
}

// listens is a misoperation behind which the operator did something, so that its property is not dead, whatever else
// may be said of it; nil where nothing can be said. What pauses is never dead: an operator that only stops its work
// until it is taken back shows nothing of it, and false is what its absence means.
func (c *Case) listens() *probe {
	last := c.Last()
	o := last.Operation
	if o == nil || !o.Misoperation || last.Refused != "" || len(o.Changes) != 1 || !o.Pauses && !c.Wrote() {
		return nil
	}
	return &probe{operation: o, leaves: map[Leaf]bool{}, moved: map[Leaf]bool{}, wrote: true, had: c.had()}
}

// Unsure are the properties that nothing came of, or of what is behind the first item, of which too few values were
// tried to say so, in order.
func (t *Tracer) Unsure() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.DeleteFunc(sortedKeys(t.probes), func(property string) bool {
		unused := t.unused(property)
		if len(unused) == 0 {
			behind, _ := t.behindFirst(property)
			return len(behind) == 0 || len(behind) >= valuesMin
		}
		return meant(unused) && t.decided(property, len(unused))
	})
}

// had tells whether the seed has what the last operation changes.
func (c *Case) had() bool {
	_, had := c.Last().Operation.Changes[0].At(c.Steps[0].End[c.Key])
	return had
}

// carries tells whether the operator has written the very value that the last step sets, be it where a mask hides what
// is drawn or counted: a time, a port of nodes. A value of one sign is too little to be found again by itself: where it
// comes, there has to be what it was before, too.
func (c *Case) carries() bool {
	change := c.Last().Operation.Changes[0]
	value := fmt.Sprint(change.Value)
	before, had := change.At(c.Last().Before)
	if brief := len(value) < 2; change.Remove || brief && (!had || value == "") {
		return false
	}
	return slices.ContainsFunc(c.Last().Events, func(e history.Event) bool {
		if e.Actor != plan.Controller || e.Key == c.Key || e.Type == history.Delete {
			return false
		}
		return slices.ContainsFunc(flat(history.Diff(e.Previous, e.Object)), func(ch history.Change) bool {
			own := strings.HasPrefix(ch.Path, "metadata.") && !strings.HasPrefix(ch.Path, "metadata.annotations") && !strings.HasPrefix(ch.Path, "metadata.labels")
			moves := len(value) >= 2 || fmt.Sprint(ch.From) == fmt.Sprint(before)
			return !own && !strings.HasPrefix(ch.Path, "status") && ch.To != nil && fmt.Sprint(ch.To) == value && moves
		})
	})
}

var (
	// deletions are names of what says what becomes of things when the resource is deleted, looks of how often an
	// operator looks, and renewals of what is only done when a time has come that no campaign waits for.
	deletions = regexp.MustCompile(`(?i)delet|reclaim|cleanup|orphan|^(retain|preserve|keep)(on|after|when|claims?|data|volumes?|pvcs?|resources?|backups?|$)|terminationPolicy|(retention|retain)Policy|finaliz`)
	looks     = regexp.MustCompile(`(?i)^spec\.interval$|(resync|requeue|reconcil\w*|poll\w*|sync)(interval|period|after|frequency)$`)
	renewals  = regexp.MustCompile(`(?i)^(renew|rotat|expir)(e|es|al|ion|ation|ing|y)?(before|after|at|within|policy|interval|period|window|schedule|time)?$`)
	// stay are values of the former with which things stay, and staying names of switches with which they do.
	stay    = regexp.MustCompile(`(?i)^(retain|orphan|keep|preserve|never|none|snapshot|donotdelete)[a-z]*$`)
	staying = regexp.MustCompile(`(?i)^(orphan|retain|preserve|keep)(on|after|when|claims?|data|volumes?|pvcs?|resources?|backups?|dependents|$)`)
)

// forms are names of switches that say in which form what others say is written: there is nothing to see where it has
// that form already.
var forms = regexp.MustCompile(`(?i)^(trim|strip|sort|lower|upper|normali[sz]e|canonicali[sz]e|dedup|unique|compact|pretty|minify|escape|expand|flatten)`)

// later tells whether what comes of a property is only seen when the resource is deleted, in when the operator looks
// again, or in what others do not say yet.
func (t *Tracer) later(property string) bool {
	name := property[strings.LastIndexByte(property, '.')+1:]
	return t.binary(property) && forms.MatchString(name) || deletions.MatchString(name) || looks.MatchString(property) || renewals.MatchString(name)
}

// sizes are what numbers of pods are called, and limits what those are that bound them.
var (
	sizes  = regexp.MustCompile(`(?i)(replicas?|size|scale|instances|count|members)$`)
	limits = regexp.MustCompile(`(?i)^(min|max)`)
)

// autoscaled tells whether how many pods there are is left to an autoscaler, so that a number of these need have no
// part.
func (c *Case) autoscaled(o *operation.Operation) bool {
	name := o.Property[strings.LastIndexByte(o.Property, '.')+1:]
	change := o.Changes[0]
	_, number := change.Value.(int64)
	return (number || change.Remove) && sizes.MatchString(name) && !limits.MatchString(name) && slices.ContainsFunc(c.Last().End.Keys(), func(key history.Key) bool {
		return key.Resource == autoscalers && c.own(key)
	})
}

// madeUp tells whether an operation sets a text that is made up where only few words mean anything: who compares it
// with these takes it for none of them.
func madeUp(o *operation.Operation) bool {
	return len(o.Sentinels) > 0 && schema.Choice(o.Property)
}

// holders are words of names of what holds data.
var holders = regexp.MustCompile(`(?i)storage|volume|persist|claim|pvc|disk`)

// stays tells whether the resource says that something is to stay when it is deleted; be it only what holds data, if
// that is asked.
func stays(name string, v any, holding bool) bool {
	if !holding && holders.MatchString(name) {
		return false
	}
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if stays(key, inner, holding) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return stays(name, inner, holding) })
	case string:
		return deletions.MatchString(name) && stay.MatchString(v)
	case bool:
		return v && staying.MatchString(name)
	}
	return false
}
