package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// lastWords is how many lines at the end of what an operator prints are its last.
const lastWords = 20

var (
	// trouble is how programs begin to say that something went wrong. A field that is called so is none:
	// failureThreshold, OnFailure.
	trouble = regexp.MustCompile(`(?i)\b(?:errors?|err|failed|fails|failing|failure|fail(?:ed)? to|fatal|panic|not found|unable|cannot|missing|there is no|no such|(?:does not|doesn't) exist)\b|^E[0-9]{4} `)
	// absent are those of these words that something is not there.
	absent = regexp.MustCompile(`(?i)\b(?:not found|missing|there is no|no such|(?:does not|doesn't) exist)\b`)
	// none is how they say that nothing did, or that what was not there is made, or done without; or a name that begins
	// so.
	none = regexp.MustCompile(`(?i)(?:not found|missing|does not exist|doesn't exist)\W{1,3}(?:(?:will (?:be )?|being |so )?(?:creat|generat|add(?:ed|ing)|mak(?:e|ing)|provision|install|initiali|issu|writ|deploy|apply|set(?:ting)?\b)|us(?:e|ing)\b|default|fall(?:ing)? ?back)` +
		`|\b(?:adding|creating|setting|applying|restoring|generating) (?:the |a )?missing\b` +
		`|"?\b(?:errors?|err|failed|failures?)"?\s*[:=]\s*(?:"?(?:0|null|nil|<nil>|none|false)"?|""|\[\])` +
		`|\b(?:no|without|without any|0) (?:errors?|failures?)\b|\b(?:errors?|failures?)-[a-z]\w*`)
	// objection is how they say that a value is none that they take.
	objection = regexp.MustCompile(`(?i)\b(?:invalid|malformed|unrecogni[sz]ed|unsupported)\b|\bnot (?:an? )?(?:valid|supported|allowed|permitted)\b|\bno valid\b|\b(?:cannot|can't|could not|unable to|failed to) (?:be )?pars|\bout of range\b` +
		`|\bmust (?:not|have|include|contain|specify|provide|start|begin|end|match)\b|\bmust be (?:an?|one|in|of|odd|even|at|between|less|greater|more|set|lower|unique|valid|non)\b|\bunknown \S*(?:value|type|mode|kind|version|level|format|option|provider|engine|driver|class|policy|name)\b|\brejected\b`)
)

// protests tells whether the last that an operator printed, or what its status says, is that something is wrong with a
// value that an operation has set, or that it is none. That somebody else was faster is no trouble, and what it says of
// the seed's value in the same words is none of this one.
func (c *Case) protests(s *Step) bool {
	name := c.changes()
	all, seed := lines(s.Output), lines(c.Steps[0].Output)
	printed, said := lastOf(all), sayings(s.End[c.Key])
	sentinels := c.sentinels()
	if i := lastWith(all, sentinels); i >= 0 && i < len(all)-lastWords {
		printed = append(printed, all[i])
	}
	before := map[string]bool{}
	for _, line := range append(lastOf(seed), sayings(c.Steps[0].End[c.Key])...) {
		before[c.alike(line)] = true
	}
	return slices.ContainsFunc(append(slices.Clone(printed), said...), func(line string) bool {
		return contains(line, sentinels) && (c.troubled(s, line) || objects(line)) && !before[c.alike(line)]
	}) || name != nil && slices.ContainsFunc(printed, func(line string) bool {
		return (troubled(line) || refuses(line)) && name.MatchString(line) && !slices.ContainsFunc(seed, name.MatchString)
	}) || name != nil && slices.ContainsFunc(said, func(line string) bool {
		return objects(line) && name.MatchString(line) && !before[c.alike(line)]
	})
}

// lastWith is the last line with one of some texts; -1 for none.
func lastWith(all, texts []string) int {
	for i := len(all) - 1; i >= 0; i-- {
		if contains(all[i], texts) {
			return i
		}
	}
	return -1
}

// anew are parts of a line that are others each time: identifiers, and numbers.
var anew = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9]+`)

// alike is a line without what an operation has set, or the seed says instead, and without what is another each time.
func (c *Case) alike(line string) string {
	for _, text := range c.sentinels() {
		line = strings.ReplaceAll(line, text, "*")
	}
	if o := c.Last().Operation; o != nil {
		for _, ch := range o.All() {
			seed, _ := ch.At(c.Steps[0].End[c.Key])
			if text, is := seed.(string); is && len(text) > 1 {
				line = strings.ReplaceAll(line, text, "*")
			}
		}
	}
	return anew.ReplaceAllString(line, "#")
}

// troubled tells whether a line with a value says that something went wrong in a step: that something of that name was
// not there is no trouble if the operator has made it.
func (c *Case) troubled(s *Step, line string) bool {
	if !troubled(line) {
		return false
	}
	if troubled(absent.ReplaceAllString(line, "")) {
		return true
	}
	given := c.given()
	return !slices.ContainsFunc(s.End.Keys(), func(key history.Key) bool {
		return key != c.Key && key.Resource != events && !given[s.End[key].Text("kind")+"/"+key.Name] && slices.ContainsFunc(c.sentinels(), func(text string) bool {
			return strings.Contains(key.Name, text) && strings.Contains(line, text)
		})
	})
}

// troubled tells whether a line says that something went wrong.
func troubled(line string) bool {
	return !strings.Contains(line, "the object has been modified") && trouble.MatchString(none.ReplaceAllString(line, ""))
}

// objects tells whether a line says that a value is none that is taken.
func objects(line string) bool { return objection.MatchString(line) }

// changes matches the name of what the last operation changes, where it sets no text that could be found again; nil if
// it does, or the name is too short to be telling.
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
