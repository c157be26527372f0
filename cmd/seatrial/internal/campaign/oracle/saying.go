package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// refusal is how people say that they do not do what they are asked for, and apiServer how the
// API server does: an operator that passes that on has tried.
var (
	refusal   = []string{"invalid", "not valid", "no valid", "unsupported", "not supported", "not allowed", "not permitted", "not possible", "immutable", "read-only", "must be", "must not", "must have", "should be", "forbidden", "rejected", "refus", "declin", "ignored", "ignoring", "disallow", "not applied", "only be set", "only be chosen", "at creation", "after creation", "requires recreat", "requires re-creat", "be recreated", "once created"}
	cannot    = regexp.MustCompile(`(?:cannot|can't|can not|may not|will not|won't) (?:(?:be )?(?:chang|alter|modif|edit|reduc|decreas|lower|shr[iu]nk|increas|grow|rais|resiz|expand|switch|swap|renam|disabl|enabl|downgrad|revert)|be (?:made|moved|removed|replaced|scaled|set|unset|smaller|less|fewer|larger|more)\b)|\b(?:smaller|less|lower|fewer|larger|greater|more) than (?:the |its )?(?:current|existing|old|previous|original)\b|\bshrinking\b`)
	apiServer = []string{" is invalid: ", " is forbidden: ", "Forbidden: updates to", "Invalid value: ", "denied the request"}
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
		if o := state[k]; warning(k, o) && about(o, key) {
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

// about tells whether an event is about an object.
func about(event history.Object, key history.Key) bool {
	return event.Text("involvedObject", "name") == key.Name || event.Text("regarding", "name") == key.Name
}

// lastWords is how many lines at the end of what an operator prints are its last.
const lastWords = 20

var (
	// trouble is how programs begin to say that something went wrong. A field that is called so is none: failureThreshold, OnFailure.
	trouble = regexp.MustCompile(`(?i)\b(?:errors?|err|failed|fails|failing|failure|fail(?:ed)? to|fatal|panic|not found|unable|cannot|missing|there is no|no such|(?:does not|doesn't) exist)\b|^E[0-9]{4} `)
	// none is how they say that nothing did, or that what was not there is made.
	none = regexp.MustCompile(`(?i)(?:not found|missing|does not exist|doesn't exist)\W{1,3}(?:will (?:be )?|being |so )?creat|"?\b(?:errors?|err|failed|failures?)"?\s*[:=]\s*(?:"?(?:0|null|nil|<nil>|none|false)"?|""|\[\])`)
)

// protests tells whether the last that an operator printed, or what its status says, is that something is wrong with a value that an
// operation has set. That somebody else was faster is no trouble.
func (c *Case) protests(s *Step) bool {
	name := c.changes()
	printed, seed := lastOf(lines(s.Output)), lines(c.Steps[0].Output)
	return slices.ContainsFunc(append(printed, sayings(s.End[c.Key])...), func(line string) bool {
		return troubled(line) && contains(line, c.sentinels())
	}) || name != nil && slices.ContainsFunc(printed, func(line string) bool {
		return (troubled(line) || refuses(line)) && name.MatchString(line) && !slices.ContainsFunc(seed, name.MatchString)
	})
}

// troubled tells whether a line says that something went wrong.
func troubled(line string) bool {
	return !strings.Contains(line, "the object has been modified") && trouble.MatchString(none.ReplaceAllString(line, ""))
}

// changes matches the name of what the last operation changes, where it sets no text that could be found again; nil if it does, or the
// name is too short to be telling.
func (c *Case) changes() *regexp.Regexp {
	o := c.Last().Operation
	if o == nil || len(o.Sentinels) > 0 {
		return nil
	}
	parts := strings.FieldsFunc(o.Property, func(r rune) bool { return strings.ContainsRune(".[]{}", r) })
	if len(parts) < 2 || len(parts[len(parts)-1]) < 4 {
		return nil
	}
	return regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(parts[len(parts)-1]) + `\b`)
}

func lines(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") }

func lastOf(all []string) []string { return slices.Clone(all[max(0, len(all)-lastWords):]) }
