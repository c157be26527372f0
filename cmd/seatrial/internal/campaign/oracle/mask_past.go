package oracle

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "past",
		Reason: "the custom resource's status tells what was done last, or was before, which is another thing of a resource that was never another: created and updated, a history with more in it, how often something was done; that is also what an annotation counts",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			return d.Key == v.c.Key && strings.HasPrefix(ch.Path, "status.") && (v.longer(ch) || past(ch) && !v.outdatedValue(ch)) || remembered(ch)
		},
	})
}

var (
	// did are words for what was done to something.
	did = regexp.MustCompile(`(?i)(?:creat|updat|patch|modifi|chang|configur|reconfigur|upgrad|install|adopt)ed`)
	// lastDone are fields that say what was done last, or was before; and histories lists of that.
	lastDone  = regexp.MustCompile(`(?i)^(?:last(?:action|operation|event|change|message|reason)|previous\w*)$`)
	histories = regexp.MustCompile(`^(status\.(?:[A-Za-z]+\.)*(?:[A-Za-z]*[hH]istory|transitions|events|log))(?:\[|$)`)
	// timesDone are fields that say how often something was done.
	timesDone = regexp.MustCompile(`(?i)(?:rollouts?|restarts?|updates?|upgrades?|rotations?|reconcile?s|reconciliations?|reloads?|attempts?|retries|syncs|changes|failovers?|switchovers?|migrations?|transitions?|resizes?|revision)(?:count|total|number)?$`)
	// bounds are such that say how often it may be.
	bounds = regexp.MustCompile(`(?i)^(?:max|min|limit|allowed|desired|target|wanted)`)
	// inLast is the last field of a path.
	inLast = regexp.MustCompile(`([A-Za-z]+)(?:\[[^]]*\])*$`)
)

// past tells whether a change of a status can be of what it tells of the past alone.
func past(ch history.Change) bool {
	field := ""
	if found := inLast.FindStringSubmatch(ch.Path); found != nil {
		field = found[1]
	}
	if slices.Contains(stages, field) {
		return false
	}
	from, isFrom := ch.From.(string)
	to, isTo := ch.To.(string)
	if isFrom && isTo && from != to && did.MatchString(from) && did.ReplaceAllString(from, "*") == did.ReplaceAllString(to, "*") {
		return true
	}
	return lastDone.MatchString(field) || timesDone.MatchString(field) && !bounds.MatchString(field) && more(ch)
}

// more tells whether a number is larger than the twin's.
func more(ch history.Change) bool {
	from, isFrom := ch.From.(int64)
	to, isTo := ch.To.(int64)
	return isTo && to > from && (isFrom || ch.From == nil)
}

// annotated is the annotation of an object that a change is of: its domain, and its name.
var annotated = regexp.MustCompile(`^metadata\.annotations\[([^]/]+)/([^]]+)\]$`)

// remembered tells whether a change is of an annotation that says how often something was done, and says more than
// where it was never asked for: who does it when it is asked for has to know that.
func remembered(ch history.Change) bool {
	of := annotated.FindStringSubmatch(ch.Path)
	if of == nil || strings.HasSuffix(of[1], "k8s.io") || strings.HasSuffix(of[1], "kubernetes.io") || !timesDone.MatchString(of[2]) || bounds.MatchString(of[2]) {
		return false
	}
	times := func(v any) (int, bool) {
		text, is := v.(string)
		n, err := strconv.Atoi(text)
		return n, is && err == nil
	}
	from, is := times(ch.From)
	to, more := times(ch.To)
	return more && to > from && (is || ch.From == nil)
}

// longer tells whether a change is in a history, a list of the status that has all that the twin's has, and more.
func (v *view) longer(ch history.Change) bool {
	at := histories.FindStringSubmatchIndex(ch.Path)
	if at == nil {
		return false
	}
	path := strings.Split(ch.Path[:at[3]], ".")
	want, _ := v.want.state[v.c.Key].At(path...).([]any)
	got, _ := v.got.state[v.c.Key].At(path...).([]any)
	return len(want) < len(got) && !slices.ContainsFunc(want, func(one any) bool {
		return !slices.ContainsFunc(got, func(other any) bool { return reflect.DeepEqual(timeless(one), timeless(other)) })
	})
}

// timeless is a value without its moments.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			if inner != nil && !moment(inner) {
				out[key] = timeless(inner)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, inner := range v {
			out = append(out, timeless(inner))
		}
		return out
	}
	return v
}

// outdatedValue tells whether a value of the custom resource stands in the twin's side of a change alone.
func (v *view) outdatedValue(ch history.Change) bool {
	now, _ := v.c.values()
	return slices.ContainsFunc(now, func(value string) bool {
		return holds(v.c.Key.Resource, ch.Path, ch.From, []string{value}) && !holds(v.c.Key.Resource, ch.Path, ch.To, []string{value})
	})
}
