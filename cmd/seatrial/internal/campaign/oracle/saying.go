package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// refusal is how people say that they do not do what they are asked for, and apiServer how the
// API server does: an operator that passes that on has tried. But what never says there is no way to: a volume does not
// become smaller.
var (
	refusal   = []string{"invalid", "not valid", "not a valid", "no valid", "malformed", "unrecognized", "unrecognised", "out of range", "unsupported", "not supported", "not allowed", "not permitted", "not possible", "immutable", "read-only", "must be", "must not", "must have", "must include", "must contain", "must specify", "must provide", "should be", "forbidden", "rejected", "refus", "declin", "ignored", "ignoring", "disallow", "not applied", "only be set", "only be chosen", "at creation", "after creation", "requires recreat", "requires re-creat", "be recreated", "once created"}
	cannot    = regexp.MustCompile(`(?:cannot|can't|can not|may not|will not|won't) (?:(?:be )?(?:chang|alter|modif|edit|reduc|decreas|lower|shr[iu]nk|increas|grow|rais|resiz|expand|switch|swap|renam|disabl|enabl|downgrad|revert)|be (?:made|moved|removed|replaced|scaled|set|unset|smaller|less|fewer|larger|more)\b)|\b(?:smaller|less|lower|fewer|larger|greater|more) than (?:the |its )?(?:current|existing|old|previous|original)\b|\bshrinking\b`)
	apiServer = []string{" is invalid: ", " is forbidden: ", "Forbidden: updates to", "Invalid value: ", "denied the request"}
	never     = []string{"requests.storage: Forbidden: field can not be less than"}
)

// refuses tells whether a sentence says that what is asked for is not done.
func refuses(said string) bool {
	said = strings.ReplaceAll(strings.ToLower(said), "connection refused", "")
	return contains(said, refusal) || cannot.MatchString(said)
}

func contains(said string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(said, w) })
}

// sayings are the texts of an object's status that are sentences.
func sayings(o history.Object) []string {
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range sortedKeys(v) {
				walk(v[key])
			}
		case []any:
			for _, item := range v {
				walk(item)
			}
		case string:
			if strings.Contains(v, " ") {
				out = append(out, v)
			}
		}
	}
	walk(o.At("status"))
	for _, said := range conditions(o) {
		// One that is only invalid may be so for other reasons than that it was another before.
		if reason := sentence(said.reason); strings.Contains(reason, " ") && !strings.Contains(reason, "nvalid") {
			out = append(out, reason)
		}
	}
	return out
}

// joint is where a reason, which has no blanks, has a new word.
var joint = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// sentence is a reason in words: StorageNotSupported is Storage Not Supported.
func sentence(reason string) string { return joint.ReplaceAllString(reason, "$1 $2") }

// remarks are what an object's status says, and warnings about it.
func remarks(state history.State, key history.Key) []string {
	out := sayings(state[key])
	for _, k := range state.Keys() {
		if o := state[k]; warning(k, o) && about(o, key, state[key].Text("kind")) {
			out = append(out, warns(o))
		}
	}
	return out
}

// warns is what an event says.
func warns(event history.Object) string {
	return strings.TrimSpace(sentence(event.Text("reason")) + " " + event.Text("message") + event.Text("note"))
}

// warning tells whether an object is an event that warns.
func warning(key history.Key, o history.Object) bool {
	return (key.Resource == events || key.Resource == "events.events.k8s.io") && o.Text("type") == "Warning"
}

// kubernetes are the components of Kubernetes that write events: what they say is not what the operator says.
var kubernetes = []string{
	"kubelet", "default-scheduler", "kube-scheduler", "controllermanager", "horizontal-pod-autoscaler", "deployment-controller", "replicaset-controller", "replication-controller",
	"statefulset-controller", "daemonset-controller", "job-controller", "cronjob-controller", "persistentvolume-controller", "attachdetach-controller", "endpoint-controller",
	"endpoint-slice-controller", "endpointslice-controller", "service-controller", "node-controller", "taint-eviction-controller", "disruption-controller", "resourcequota-controller", "ttl-after-finished-controller",
}

// about tells whether an event is about an object of a kind, or of its name and not from Kubernetes itself, which
// speaks of an autoscaler that is called as the resource is. A kind that is not known may be any.
func about(event history.Object, key history.Key, kind string) bool {
	for _, field := range []string{"involvedObject", "regarding"} {
		if event.Text(field, "name") != key.Name {
			continue
		}
		if of := event.Text(field, "kind"); of == kind || of == "" || kind == "" {
			return true
		}
		return !slices.Contains(kubernetes, event.Text("source", "component")) && !slices.Contains(kubernetes, event.Text("reportingComponent")) && !slices.Contains(kubernetes, event.Text("reportingController"))
	}
	return false
}
