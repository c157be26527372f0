package oracle

import (
	"strings"

	"github.com/seatrial/seatrial/history"
)

func init() {
	mask(Mask{
		Name:   "versions",
		Reason: "earlier versions of a ConfigMap or Secret whose name ends with a sum of what is in it, which nothing has any more: an operator keeps some, as Kubernetes keeps revisions of a workload, up to ten",
		object: func(v *view, s history.State, key history.Key) bool { return v.version(s, key) },
	})
}

// versionsMost is how many earlier versions there may be: as many as Deployments and StatefulSets keep by default
// (revisionHistoryLimit).
const versionsMost = 10

// version tells whether an object is an earlier version of one that is there in the twin, too.
func (v *view) version(s history.State, key history.Key) bool {
	stem := stemOf(key)
	if v.got == nil || stem == "" || !v.before(key) {
		return false
	}
	if _, both := v.want.state[key]; both {
		return false
	}
	current, left := false, 0
	for other, o := range s {
		if used, is := referred(other, o)[reference{key.Resource, key.Name}]; is && len(used) > 0 && other.Namespace == key.Namespace {
			return false
		}
		if other.Resource != key.Resource || other.Namespace != key.Namespace || stemOf(other) != stem {
			continue
		}
		if _, both := v.want.state[other]; both {
			current = true
		} else {
			left++
		}
	}
	return current && left <= versionsMost
}

// before tells whether an object was there when the last step began.
func (v *view) before(key history.Key) bool {
	_, was := v.c.Last().Start[key]
	return was
}

// stemOf is that of the name of a ConfigMap or Secret; empty for another object.
func stemOf(key history.Key) string {
	if key.Resource != configMaps && key.Resource != secrets {
		return ""
	}
	return Stem(key.Name)
}

// Stem is a name without the sum, or the letters and figures that were drawn, at its end; empty for a name without.
func Stem(name string) string {
	at := strings.LastIndexByte(name, '-')
	if at <= 0 {
		return ""
	}
	if end := name[at+1:]; !drawn(end) || strings.Trim(end, "0123456789") == "" || !strings.ContainsAny(end, "0123456789") {
		return ""
	}
	return name[:at]
}

// referred is what a workload's template or a pod has of ConfigMaps and Secrets.
func referred(key history.Key, o history.Object) map[reference]uses {
	if key.Resource == pods {
		spec, _ := o.At("spec").(map[string]any)
		return referencesOf(spec)
	}
	return references(o)
}
