package oracle

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/history"
)

func init() { register(Oracle{Name: "twin", Rule: "SEA3001", Order: 20, Twin: true, Judge: twin}) }

// twin compares what there is with what a run has that never had another version of the
// resource. What a misoperation leaves is not compared: an operator may have refused it, and
// keep what was; what is to pause is where an operator hands that on.
func twin(c *Case) []Deviation {
	if c.pauses() && c.Twin != nil {
		return c.handedOn()
	}
	if c.misoperation() || c.repairs() || !c.comparable() {
		return nil
	}
	return c.beside("where the resource was never another")
}

// Bare is the last step with what oracles ask of a twin, of which there are hundreds in a campaign: without the writes
// that led to its end, and without who has which field there, which is half of an object.
func (c *Case) Bare() *Step {
	s := c.Last()
	end := make(history.State, len(s.End))
	for key, o := range s.End {
		if metadata, is := o["metadata"].(map[string]any); is {
			o, metadata = maps.Clone(o), maps.Clone(metadata)
			delete(metadata, "managedFields")
			o["metadata"] = metadata
		}
		end[key] = o
	}
	_, _, written := c.written(s)
	return &Step{Resource: s.Resource, Refused: s.Refused, End: end, Untouched: s.Untouched, Output: s.Output, Rest: s.Rest, Written: written}
}

// comparable tells whether the twin came to an end that says what is expected.
func (c *Case) comparable() bool {
	return c.Twin != nil && c.Last().Refused == "" && c.Twin.Refused == "" && !c.Twin.failed() && c.Last().Rest.Cycle == nil && !c.impossible() && !c.Waits()
}

// failed tells whether a twin never came to an end, as its operator goes in a circle, or does not run any more.
func (s *Step) failed() bool { return s.Rest.Cycle != nil || len(s.Wrong) > 0 && !s.Rest.Quiet }

// impossible tells whether the API server refuses what the operator makes of the resource, also where
// that was never another, or the operator fails in both, or says of both that it does not follow: what is there then is
// of an older one, or of none. What was so of the seed is something else. Where the twin fails, what else cannot be
// reached does not excuse that reconciles of the other go on failing: they need not have come that far.
func (c *Case) impossible() bool {
	if c.Twin == nil {
		return false
	}
	return c.Twin.refusal(c.Key) && !c.Steps[0].refusal(c.Key) ||
		c.fails(c.Twin) && (c.fails(c.Last()) || len(c.failing(c.Last())) > 0) ||
		slices.ContainsFunc(c.rejects(c.Twin), func(field string) bool { return slices.Contains(c.rejects(c.Last()), field) }) ||
		c.stillborn() || c.wanting()
}

// wanting tells whether a condition is False in both with the same words, which was not with the seed, and names what
// an operation has set, or nothing is made of the resource where that was never another: it waits for something of that
// name, and leaves what there is.
func (c *Case) wanting() bool {
	nothing := !c.makes(c.Twin) && c.makes(c.Steps[0])
	for _, said := range conditions(c.Twin.End[c.Key]) {
		last := conditionOf(c.Last().End[c.Key], said.kind)
		before := conditionOf(c.Steps[0].End[c.Key], said.kind).status
		if said.status == "False" && said.message != "" && before != "False" && last.status == said.status && last.message == said.message && (nothing || contains(said.message, c.sentinels())) {
			return true
		}
	}
	return false
}

// rejects are the conditions that are False, and the phases, by which the operator says that it does not follow the
// resource, and did follow the seed.
func (c *Case) rejects(s *Step) (fields []string) {
	seed, o := c.Steps[0].End[c.Key], s.End[c.Key]
	for _, said := range conditions(o) {
		if said.status == "False" && conditionOf(seed, said.kind).status != "False" && refuses(said.reason+" "+said.message) {
			fields = append(fields, "condition "+said.kind)
		}
	}
	for _, name := range stages {
		said, before := o.Text("status", name), seed.Text("status", name)
		if (refuses(said) || over.MatchString(said)) && !refuses(before) && !over.MatchString(before) {
			fields = append(fields, name)
		}
	}
	return fields
}

// over are words for how far an operator is that has given up.
var over = regexp.MustCompile(`(?i)^(?:failed|failure|error|errored|invalid|rejected)$`)

// Fails tells whether the operator cannot do what the last step asks for, or says that it does not, and could do what
// the seed does.
func (c *Case) Fails() bool {
	return c.Last().refusal(c.Key) && !c.Steps[0].refusal(c.Key) || c.fails(c.Last()) || len(c.rejects(c.Last())) > 0
}

// fails tells whether reconciles go on failing behind a step, or what the operator printed last or a condition says so
// in words that it did not have with the seed. Conditions about what is ready are not about the operator.
func (c *Case) fails(s *Step) bool {
	seed := append(c.complaints(c.Steps[0].End[c.Key]), c.failing(c.Steps[0])...)
	for _, p := range append(c.complaints(s.End[c.Key]), c.failures(s)...) {
		about := slices.ContainsFunc(running, func(name string) bool { return strings.HasSuffix(p.class, name) })
		if !about && !slices.ContainsFunc(seed, func(e problem) bool { return e.text == p.text }) {
			return true
		}
	}
	return c.protests(s)
}

// running are what conditions are called that say whether something runs.
var running = []string{"Ready", "Available", "Healthy"}

// refusal tells whether the operator says, in what it prints or in the custom resource's status, that
// the API server has refused a write of it.
func (s *Step) refusal(key history.Key) bool {
	return contains(s.Output, apiServer) || slices.ContainsFunc(sayings(s.End[key]), func(said string) bool { return contains(said, apiServer) })
}

// beside says what is different from the twin, of which there is given what it is.
func (c *Case) beside(where string) []Deviation {
	var out []Deviation
	for _, d := range c.sorted() {
		switch {
		case d.Name == "*":
			continue
		case d.Type == history.Create:
			out = append(out, Deviation{Object: d.Key, Found: "there", Place: "stays", Text: fmt.Sprintf("%s is there, and is not %s", d.Key, where)})
			continue
		case d.Type == history.Delete:
			out = append(out, Deviation{Object: d.Key, Expected: "there", Place: "missing", Text: fmt.Sprintf("%s is missing, and is there %s", d.Key, where)})
			continue
		}
		for _, ch := range d.Changes {
			plain := Plain(d.Key.Resource, ch)
			if text := c.overwritten(d.Key, ch); text != "" {
				out = append(out, Deviation{Object: d.Key, Path: ch.Path, Expected: ch.From, Found: ch.To, Place: overwrites, Text: text})
				continue
			}
			out = append(out, Deviation{
				Object: d.Key, Path: ch.Path, Expected: ch.From, Found: ch.To, Lines: linesOf(d.Key.Resource, ch),
				Own:  d.Key == c.Key && strings.HasPrefix(ch.Path, "spec"),
				Text: fmt.Sprintf("%s of %s is %s, and %s %s", plain.Path, d.Key, say(plain.To), say(plain.From), where),
			})
		}
	}
	return out
}

// overwrites is the class of what of the resource's spec is not as the user has applied it.
const overwrites = "overwritten"

// overwritten says that a field of the custom resource's spec, which a run and its twin were given alike, is another
// one in one of them: only the operator can have written it; empty where it is none, or as it was applied.
func (c *Case) overwritten(key history.Key, ch history.Change) string {
	if key != c.Key || !strings.HasPrefix(ch.Path, "spec") {
		return ""
	}
	for _, one := range []struct {
		step *Step
		now  any
		when string
	}{{c.Twin, ch.From, "of a resource that is made with it"}, {c.Last(), ch.To, "of one that is changed to it"}} {
		if one.step == nil {
			continue
		}
		given, there := history.Object{"spec": one.step.Resource.At("spec")}, history.Object{"spec": one.step.End[key].At("spec")}
		for _, was := range flat(history.Diff(given, there)) {
			if was.Path != ch.Path || was.From == nil {
				continue
			}
			how := "sets it to " + say(one.now)
			if one.now == nil {
				how = "takes it out of the spec"
			}
			return fmt.Sprintf("%s of %s was applied as %s, and the operator %s, %s", ch.Path, key, say(was.From), how, one.when)
		}
	}
	return ""
}

// differs tells whether anything is different from the twin that was not known to be.
func (c *Case) differs(known []Deviation) bool {
	return slices.ContainsFunc(c.beside(""), func(d Deviation) bool {
		lines := slices.Clone(d.Lines)
		for _, k := range known {
			if k.Object != d.Object || k.Path != "" && k.Path != d.Path {
				continue
			}
			if len(k.Lines) == 0 || len(d.Lines) == 0 {
				return false
			}
			lines = slices.DeleteFunc(lines, func(line string) bool { return slices.Contains(k.Lines, line) })
		}
		return len(lines) > 0 || len(d.Lines) == 0
	})
}

// say is a value in a few words.
func say(v any) string {
	if v == nil {
		return "not there"
	}
	return plan.Brief(v)
}

// declined tells whether the custom resource's status, or an event about it, says that the operator does not do what is
// asked for.
func (c *Case) declined() bool { return len(c.declines()) > 0 }

// declines are the words in which it says so, that neither its twin has nor it had before. What it says of a
// misoperation is of that, and may be so of what comes behind it, too; but not of what it waited for. Where it quotes
// the API server it has tried, and what else it says, that the spec is not applied, comes of that.
func (c *Case) declines() (words []string) {
	last := c.Last()
	before := remarks(last.Start, c.Key)
	if wrong := c.wrong(); wrong != nil && !c.repairs() && !wrong.Operation.Lacks {
		before = remarks(wrong.Start, c.Key)
	}
	if c.Twin != nil {
		before = append(before, remarks(c.Twin.End, c.Key)...)
	}
	quoted := false
	for _, said := range remarks(last.End, c.Key) {
		if contains(said, apiServer) && !contains(said, never) {
			quoted = quoted || !slices.Contains(before, said) && ofObject.MatchString(said)
			continue
		}
		if !refuses(said) {
			continue
		}
		if !slices.Contains(before, said) || c.Twin != nil && !slices.Contains(remarks(c.Twin.End, c.Key), said) && c.repeated(said) {
			words = append(words, said)
		}
	}
	if quoted {
		return nil
	}
	return words
}

// ofObject is how the API server says that it refuses an object, by its name.
var ofObject = regexp.MustCompile(`"[^"]+" is (?:invalid|forbidden): |denied the request`)
