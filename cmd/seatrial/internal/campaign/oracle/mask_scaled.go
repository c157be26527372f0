package oracle

import (
	"regexp"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "autoscaled",
		Reason: "how many replicas a workload has, within the bounds of its autoscaler, is what that makes of what there was: an operator that has one leaves the number to it",
		object: func(v *view, s history.State, key history.Key) bool {
			return key.Resource == pods && v.scaled[v.above(key.Generic(s[key]))]
		},
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			if ch.Path == "spec.replicas" {
				return v.scaled[d.Key]
			}
			return (d.Key.Resource == budgets || counted(ch.From, ch.To)) && v.tells(d.Key, ch, v.scaled)
		},
	})
}

// digits are the numbers in a text.
var digits = regexp.MustCompile(`[0-9]+`)

// counted tells whether two values differ in how many there are of something: numbers, of which one may be missing, or
// texts that are the same but for the numbers in them.
func counted(a, b any) bool {
	one, is := a.(string)
	other, both := b.(string)
	if is && both {
		return digits.ReplaceAllString(one, "0") == digits.ReplaceAllString(other, "0")
	}
	return numeric(a) && numeric(b)
}

func numeric(v any) bool {
	_, is := v.(int64)
	return is || v == nil
}

// scaled are the workloads that have an autoscaler in both states, and another number of replicas in each that both
// autoscalers allow.
func scaled(want, got history.State) map[history.Key]bool {
	out := map[history.Key]bool{}
	for key, one := range want {
		other := got[key]
		if key.Resource != autoscalers || other == nil {
			continue
		}
		for w, o := range want {
			if w.Namespace != key.Namespace || w.Name != one.Text("spec", "scaleTargetRef", "name") || o.Text("kind") != one.Text("spec", "scaleTargetRef", "kind") || got[w] == nil {
				continue
			}
			a, runs := wanted(w.Resource, o)
			b, _ := wanted(w.Resource, got[w])
			if runs && a != b && Allows(one, a) && Allows(one, b) && Allows(other, a) && Allows(other, b) {
				out[w] = true
			}
		}
	}
	return out
}

// Allows tells whether an autoscaler leaves a workload so many replicas.
func Allows(o history.Object, n int64) bool {
	least, ok := o.Number("spec", "minReplicas")
	if !ok {
		least = 1
	}
	return n >= least && n <= number(o, "spec", "maxReplicas")
}
