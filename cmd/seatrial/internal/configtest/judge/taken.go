package judge

import (
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// A map that is taken as a whole, as headers are by GetStringMapString, shows of none of its keys that it is used.
// Where one is, the value that a map has at that key is read: it is taken for this one if it is what is new there, and
// no map had it at that key before.

// proveTaken looks for reads of all that is new in a map that is taken as a whole, by the keys of that. What is gone
// from it has to have been read before, and not to be read any more.
func proveTaken(c choose.Change, before, after *run.Outcome) (Proof, bool) {
	was, now := takenOf(c, before), takenOf(c, after)
	if len(c.Within) == 1 { // it is about one key
		maps.DeleteFunc(was, func(key, _ string) bool { return key != c.Within[0] })
		maps.DeleteFunc(now, func(key, _ string) bool { return key != c.Within[0] })
	}
	if len(was) == 0 && len(now) == 0 {
		return Proof{}, false
	}
	var first Proof
	some := false
	for _, key := range slices.Sorted(maps.Keys(now)) {
		if old, had := was[key]; had && old == now[key] {
			continue
		}
		proof, is := keyRead(key, now[key], before, after)
		if !is {
			return Proof{}, false
		}
		if !some {
			first, some = proof, true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(was)) {
		if _, has := now[key]; has {
			continue
		}
		proof, is := keyRead(key, was[key], after, before)
		if !is {
			return Proof{}, false
		}
		if !some {
			first, some = Proof{At: proof.At}, true
		}
	}
	return first, some
}

// takenOf is what the maps that have a parameter, or are one, had where they were taken as a whole: the values by the
// keys. Of a key of a library that has a part before it only the whole is known.
func takenOf(c choose.Change, o *run.Outcome) map[string]string {
	out := map[string]string{}
	for _, e := range events(c, o, record.Read) {
		if !strings.Contains(e.At, record.Taken) {
			continue
		}
		if entries, is := strings.CutPrefix(e.Value, "map["); is {
			maps.Copy(out, entriesOf(strings.TrimSuffix(entries, "]")))
		} else {
			out[e.Subject.Name()] = e.Value
		}
	}
	return out
}

// entriesOf are those of a map as Go prints it. A value may have spaces, and a key has neither these nor a colon.
func entriesOf(printed string) map[string]string {
	out := map[string]string{}
	last := ""
	for _, word := range strings.Split(printed, " ") {
		key, value, is := strings.Cut(word, ":")
		switch {
		case is && key != "" && !strings.HasPrefix(value, "//"):
			last = key
			out[key] = value
		case last != "":
			out[last] += " " + word
		}
	}
	return out
}

// keyRead looks for a read of a value at a key of some map, which no map had there before. The name of a key of a
// library has the names of what it is in before it, and may have dots itself.
func keyRead(name, value string, before, after *run.Outcome) (Proof, bool) {
	for key, more := name, true; more; _, key, more = strings.Cut(key, ".") {
		id := parameter.Key(key)
		reads := func(o *run.Outcome) int {
			return slices.IndexFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Item && e.Subject == id && e.Value == value })
		}
		if at := reads(after); at >= 0 && reads(before) < 0 {
			at, _, _ := strings.Cut(after.Events[at].At, record.Time)
			return Proof{Value: value, At: at}, true
		}
	}
	return Proof{}, false
}
