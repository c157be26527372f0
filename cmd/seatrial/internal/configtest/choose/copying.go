package choose

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// Copying has tests that set what changes read it, too, if what they bring along may be a copy of what is deployed,
// which is not known before they run beside that. One that is none still overrides it. They are those that set most of
// what is deployed, or a variable, which is a copy if it is just what is deployed, and were seen to read what changes;
// of what no test reads otherwise, all that set it. The quickest of them are run. around is what is deployed and does
// not change.
func Copying(m *parameter.Map, changes, around []Change, chosen []Test) []Test {
	of := map[string]*parameter.Test{}
	for _, p := range m.Packages {
		for i := range p.Tests {
			of[p.Path+" "+p.Tests[i].Name] = &p.Tests[i]
		}
	}
	read := make([]bool, len(changes))
	for _, t := range chosen {
		for _, i := range t.Reads {
			read[i] = true
		}
	}
	deployed := slices.DeleteFunc(slices.Concat(changes, around), func(c Change) bool { return !c.documented() })
	for i, c := range changes {
		if !c.documented() && !c.Copied() {
			continue
		}
		var sets []int
		for n, t := range chosen {
			test := of[t.Package+" "+t.Name]
			if slices.Contains(t.Sets, i) && !slices.Contains(t.Reads, i) && (!read[i] || test != nil && c.Class.Among(test.Own) && (c.Copied() || mayCopy(test, deployed, c))) {
				sets = append(sets, n)
			}
		}
		slices.SortStableFunc(sets, func(x, y int) int { return cmp.Compare(chosen[x].Took, chosen[y].Took) })
		for _, n := range sets[:min(len(sets), least)] {
			chosen[n].Reads = append(chosen[n].Reads, i)
		}
	}
	return chosen
}

// documented tells whether it is of a document that says it with the old version.
func (c Change) documented() bool {
	return c.Class != nil && c.Unknown == "" && c.Old != nil && c.JSON()
}

// Copied tells whether it is of what a test sets by its name, and gives that another form, or is of words: a test that
// sets one to just what is deployed has a copy of it then. Of two numbers, or times, it may well mean its own: a queue
// that is to be full.
func (c Change) Copied() bool {
	if c.Class == nil || !c.plainly() || len(c.Settable()) == 0 {
		return false
	}
	return value.Word(value.Bare(*c.Old)) || c.Reformed()
}

// Reformed tells whether the new value has another form than the old one, as 3 has in the place of 3s.
func (c Change) Reformed() bool {
	if c.Old == nil || c.New == nil {
		return false
	}
	old, now := value.Bare(*c.Old), value.Bare(*c.New)
	return value.AnotherForm(&old, &now)
}

// Settable are the variables and flags, or the keys of a store of settings, that a change speaks of; none if it speaks
// of anything else. What such a key is decoded into is no other thing.
func (c Change) Settable() (out []parameter.ID) {
	keys, fields := false, false
	for _, id := range c.IDs {
		switch id.Kind() {
		case parameter.Env, parameter.Flag:
			out = append(out, id)
		case parameter.Viper, parameter.Koanf, parameter.Properties:
			out, keys = append(out, id), true
		case parameter.Field:
			fields = true
		default:
			return nil
		}
	}
	if fields && !keys {
		return nil
	}
	return out
}

// aliases are the variables and flags that set the same parameter, and of which the change does not speak.
func (c Change) aliases() (out []parameter.ID) {
	if c.Class == nil || c.Class.Several || value.Collection(c.Old) || value.Collection(c.New) {
		return nil
	}
	for _, id := range c.Class.Identities() {
		if kind := id.Kind(); (kind == parameter.Env || kind == parameter.Flag) && !slices.Contains(c.IDs, id) {
			out = append(out, id)
		}
	}
	return out
}

// Copies are what each variable, flag or key that a test may set it by is if that is a copy of what is deployed.
func (c Change) Copies() map[parameter.ID]string {
	out := map[parameter.ID]string{}
	for _, id := range c.Settable() {
		out[id] = *c.Old
	}
	for _, id := range c.aliases() {
		out[id] = value.Bare(*c.Old)
	}
	return out
}

// plainly tells whether both versions have a value that a test may be given in the place of its own: no secret, and
// nothing that says for whom it calls, or where it writes.
func (c Change) plainly() bool {
	if !c.open() {
		return false
	}
	if value.Alike(*c.Old, *c.New) { // it calls, and writes to, the same
		return true
	}
	old := value.Bare(*c.Old)
	if _, is := value.Emptied(*c.Old, *c.New); is {
		return value.HarmlessItems(c.Path, *c.Old)
	}
	return old != "" && value.Harmless(c.Path, old)
}

// open tells whether both versions have a value, and none is a secret.
func (c Change) open() bool {
	return !c.Unchanged && c.Unknown == "" && c.Old != nil && c.New != nil && !c.secret()
}

// Wholly tells of which changes a test has a copy beside most of what is deployed, as in a document of its own: it has
// brought along what it does not care for.
func Wholly(m *parameter.Map, changes, around []Change) func(test Test, i int) bool {
	deployed := slices.DeleteFunc(slices.Concat(changes, around), func(c Change) bool { return !c.documented() })
	return func(test Test, i int) bool {
		if !changes[i].documented() {
			return false
		}
		for _, p := range m.Packages {
			for n := range p.Tests {
				if p.Path == test.Package && p.Tests[n].Name == test.Name {
					return mayCopy(&p.Tests[n], deployed, changes[i])
				}
			}
		}
		return false
	}
}

// mayCopy tells whether a test sets more than it leaves out of what is deployed in the document of a change.
func mayCopy(t *parameter.Test, deployed []Change, of Change) bool {
	sets, all := 0, 0
	for _, c := range deployed {
		if c.IDs[0].Kind() != of.IDs[0].Kind() || c.Type != of.Type {
			continue
		}
		if all++; c.Class.Among(t.Sets) {
			sets++
		}
	}
	return 2*sets > all
}
