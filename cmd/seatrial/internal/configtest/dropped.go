package configtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
	"github.com/seatrial/seatrial/finding"
)

// dropped makes a result of a change whose new value a test was seen to read as something else, of which nobody is
// told: a default, nothing, or nanoseconds; or as a time zone of which there is none. False if none was, or if it may
// be meant.
func (o *Outcome) dropped(i int, folder string, out *finding.Result) bool {
	c := o.Changes[i]
	for _, t := range o.Tests {
		if t == nil {
			continue
		}
		instead, is := t.Dropped[i]
		if proof, proved := t.Proofs[i]; proved && (inNanoseconds(c, proof) || anotherWay(c, proof) && none(proof.Value)) {
			instead, is = proof, true
		}
		if copied, only := t.Copied[i]; only && inNanoseconds(c, copied) {
			_, copied.At, _ = strings.Cut(copied.At, " at ")
			instead, is = copied, true
		}
		message := "it is read as something else, and nothing refuses it"
		if is && !secret(c) {
			message = fmt.Sprintf("it is read as %s, and nothing refuses it", o.masked(instead.Value))
		}
		if proof, proved := t.Proofs[i]; !is && proved && c.Old != nil && c.New != nil && value.NoZone(*c.Old, *c.New) {
			instead, is, message = proof, true, "there is no such time zone, and a test that reads it passes"
		}
		if !is {
			continue
		}
		of := rule.Named("refuses")
		out.Rule, out.Name, out.Verdict, out.Message = of.ID, of.Name, finding.Violated, message
		says := testName(t) + " reads it here, and passes"
		if instead.At == "" {
			out.Causes = append(out.Causes, finding.Cause{Message: testName(t) + " passes with it"})
		} else {
			out.Causes = append(out.Causes, finding.Cause{Location: place(folder, instead.At), Message: says})
		}
		return true
	}
	return false
}

// none tells whether a value is what a library gives for what it makes nothing of.
func none(read string) bool { return slices.Contains([]string{"0", "0s", "false"}, read) }

// anotherWay tells whether what was read shows that a value was taken for something else: a number for nanoseconds
// where there was a time with its unit; or for nothing, by a library that is asked for a key and gives 0 for what is
// none.
func anotherWay(c choose.Change, p judge.Proof) bool {
	if c.Change.Old == nil || c.Change.New == nil || len(c.IDs) > 0 && c.IDs[0].Kind() == parameter.Env {
		return false
	}
	old, now := c.Change.Old.Reveal(), c.Change.New.Reveal()
	if !value.AnotherForm(&old, &now) {
		return false
	}
	n, err := strconv.ParseInt(now, 10, 64)
	read, failed := time.ParseDuration(p.Value)
	return !typed(c) || err == nil && failed == nil && read == time.Duration(n)
}

// inNanoseconds tells whether a number was read as so many nanoseconds where there was a time with its unit.
func inNanoseconds(c choose.Change, p judge.Proof) bool {
	if c.Change.Old == nil || c.Change.New == nil {
		return false
	}
	_, timed := time.ParseDuration(c.Change.Old.Reveal())
	n, err := strconv.ParseInt(c.Change.New.Reveal(), 10, 64)
	read, failed := time.ParseDuration(p.Value)
	return timed == nil && err == nil && failed == nil && n != 0 && read == time.Duration(n)
}

// typed tells whether a change is of a field, or of what nobody is known to read, and of no key that a library is asked
// for.
func typed(c choose.Change) bool {
	return c.Class == nil || !c.Stored && slices.ContainsFunc(c.Class.Identities(), func(id parameter.ID) bool { return id.Kind() == parameter.Field })
}
