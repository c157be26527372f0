package judge

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// used tells whether what was read may have been used: it was not only put into fields of the program's, or it was read
// in one of them. There it may be another value, in another unit, which was not read there before; where another one of
// that type had the same value before, it is taken for this one.
func used(e record.Event, before, after *run.Outcome) bool {
	return usedUnless(e, after, func(c record.Event) bool {
		return slices.ContainsFunc(before.Events, func(o record.Event) bool {
			return o.Verb == record.Carried && o.Subject == c.Subject && o.Value == c.Value
		})
	})
}

// usedIn is used where only one outcome is known.
func usedIn(e record.Event, o *run.Outcome) bool {
	return usedUnless(e, o, func(record.Event) bool { return false })
}

// usedUnless is used but for reads of carriers that another one explains: what is read there as it was put in is
// another one's, if it is not this value.
func usedUnless(e record.Event, in *run.Outcome, explained func(record.Event) bool) bool {
	carriers := record.Carriers(in.Events, e)
	if len(carriers) == 0 {
		return true
	}
	return slices.ContainsFunc(carried(in, carriers), func(c record.Event) bool {
		return record.Alike(c.Value, e.Value) || !explained(c) && !slices.ContainsFunc(in.Events, func(o record.Event) bool {
			return o.Verb == record.Copied && o.Subject == c.Subject && o.Value == c.Value
		})
	})
}

// carried are the reads of some carriers.
func carried(o *run.Outcome, carriers []parameter.ID) (out []record.Event) {
	for _, e := range o.Events {
		if e.Verb == record.Carried && slices.Contains(carriers, e.Subject) {
			out = append(out, e)
		}
	}
	return out
}

// copiedAs is what of a read is in a carrier: of a time that a library was asked for it is that.
func copiedAs(o *run.Outcome, carrier parameter.ID, read record.Event) string {
	for _, e := range o.Events {
		if e.Verb == record.Copied && e.Subject == carrier && record.Alike(e.Value, read.Value) {
			return e.Value
		}
	}
	return read.Value
}

// onlyCopied says of a change whose new value is only put into fields of the program's, which field that is, and what
// was read; nothing if that is not so.
func onlyCopied(c choose.Change, before, after *run.Outcome) (none Proof) {
	reads := events(c, after, record.Read)
	if len(c.Leaves) > 0 {
		reads = slices.DeleteFunc(readItems(c, after), func(e record.Event) bool { return !means(c, e.Value) }) // what other items have is not about it
	}
	if len(reads) == 0 || slices.ContainsFunc(reads, func(e record.Event) bool { return used(e, before, after) }) {
		return none
	}
	for _, e := range reads {
		arrived := !slices.ContainsFunc(before.Events, func(o record.Event) bool {
			return o.Verb == e.Verb && o.Subject == e.Subject && o.Value == e.Value && o.At == e.At
		})
		if means(c, e.Value) || len(reads) == 1 && arrived {
			to := record.Carriers(after.Events, e)[0]
			return Proof{Value: copiedAs(after, to, e), At: to.Name() + " at " + strings.TrimSuffix(e.At, record.Unsure)}
		}
	}
	return none
}
