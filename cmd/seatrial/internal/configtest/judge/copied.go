package judge

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// asDeployed takes back what breaks a test by what it sets itself: a timeout that the test has made long is refused
// beside a shorter interval, and the one that is deployed is not. With all that is deployed above what it sets the test
// passes. Where it does not pass so with the old values either, it is about what it sets: what fails at the same places
// with both is of that, unless a validation of the program refuses the new one, an error has it in quotes, or the code
// does not know its word, whatever stands beside it. A test that passes so and does not read the change then is none of
// that: what it sets brings it there, as a queue of two that is full.
func (j *judging) asDeployed(out *Judged) error {
	sets := func(c Culprit) bool {
		return !c.HardCoded && !j.certain(c.Changes) && slices.ContainsFunc(j.changes, func(o choose.Change) bool { return len(events(o, c.Outcome, record.Set)) > 0 })
	}
	if j.test.File != "" || !slices.ContainsFunc(out.Culprits, sets) {
		return nil
	}
	whole := *j
	whole.test.Whole, whole.known, whole.amid, whole.fell, whole.beside = true, map[string]*run.Outcome{}, map[string]bool{}, map[string]bool{}, nil
	for i, c := range j.changes {
		if c.Unchanged {
			whole.beside = append(whole.beside, i)
		}
	}
	_, err := whole.passes()
	if err != nil {
		return err
	}
	before := whole.before
	out.Culprits = slices.DeleteFunc(out.Culprits, func(c Culprit) bool {
		if err != nil || !sets(c) {
			return false
		}
		var after *run.Outcome
		if after, err = whole.run(c.Changes); err != nil || after.Ending.Fails() && (before.Ending == run.Passed || elsewhere(after, before) || refusing(after, before) || j.quoting(c.Changes, after, before)) {
			return false
		}
		if before.Ending != run.Passed && after.Ending.Fails() && c.Foreign {
			return false
		}
		if before.Ending == run.Passed && after.Ending == run.Passed && !whole.readsAny(c.Changes, after) {
			return false
		}
		for _, i := range c.Changes {
			proof, is := Proof{}, false
			if before.Ending == run.Passed && after.Ending == run.Passed {
				proof, is = whole.prove(i, before, after)
			}
			if is {
				out.Proofs[i] = proof
			} else {
				out.Own = append(out.Own, i)
			}
		}
		err = whole.silent(out, c.Changes, c.Changes, after)
		return true
	})
	return err
}

// readsAny tells whether any of some changes was read.
func (j *judging) readsAny(changes []int, in *run.Outcome) bool {
	return slices.ContainsFunc(changes, func(i int) bool { return len(events(j.changes[i], in, record.Read)) > 0 })
}

// refusing tells whether a validation of the program says something that it did not say otherwise.
func refusing(now, otherwise *run.Outcome) bool {
	return slices.ContainsFunc(now.Events, func(e record.Event) bool {
		return e.Verb == record.Checked && e.Value != "" && !slices.ContainsFunc(otherwise.Events, func(o record.Event) bool {
			return o.Verb == record.Checked && o.Subject == e.Subject && o.Value == e.Value
		})
	})
}

// quoting tells whether what a test says first has a new value in quotes, as errors of parsers have what they are
// given, and is not what it says of the old one.
func (j *judging) quoting(changes []int, now, otherwise *run.Outcome) bool {
	says, said := j.says(now), j.says(otherwise)
	return slices.ContainsFunc(changes, func(i int) bool {
		c := j.changes[i]
		if c.Old == nil || c.New == nil || value.Bare(*c.New) == "" {
			return false
		}
		old, fresh := strconv.Quote(value.Bare(*c.Old)), strconv.Quote(value.Bare(*c.New))
		return strings.Contains(says, fresh) && digits.ReplaceAllString(strings.ReplaceAll(says, fresh, old), "#") != digits.ReplaceAllString(said, "#")
	})
}

// says is what a test says first, with all that stands below it, but for what it logs where it passes, too.
func (j *judging) says(o *run.Outcome) string {
	var b strings.Builder
	for line := range strings.Lines(unlogged(o, j.before).Output) {
		first := assertion.MatchString(strings.TrimRight(line, "\n"))
		if first && b.Len() > 0 || b.Len() > 0 && !strings.HasPrefix(line, "        ") {
			break
		}
		if first || b.Len() > 0 {
			b.WriteString(line)
		}
	}
	return b.String()
}

// elsewhere tells whether a test failed at a place, or in a way, in which it did not fail otherwise.
func elsewhere(failed, otherwise *run.Outcome) bool {
	if failed.Ending != run.Failed {
		return failed.Ending != otherwise.Ending || Says(failed) != Says(otherwise)
	}
	known := places(otherwise)
	return slices.ContainsFunc(places(failed), func(place string) bool { return !slices.Contains(known, place) })
}

var below = regexp.MustCompile(`^\s*(?:--- FAIL:|=== RUN|=== NAME)\s+(\S+)`)

// places are those at which a test says something, each with the case that it is in.
func places(o *run.Outcome) (out []string) {
	in := ""
	for line := range strings.Lines(o.Output) {
		line = strings.TrimRight(line, "\n")
		if found := below.FindStringSubmatch(line); found != nil {
			in = found[1]
		} else if found := assertion.FindStringSubmatch(line); found != nil {
			out = append(out, in+" "+found[1])
		}
	}
	return out
}
