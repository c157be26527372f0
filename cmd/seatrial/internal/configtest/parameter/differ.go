package parameter

// Differs are the facts in which a map is another one than one of before, a line each: those that are gone begin with
// -, and new ones with +. None if both say the same.
func (m *Map) Differs(from *Map) []string {
	var out []string
	now, before := m.facts(), from.facts()
	for _, side := range []struct {
		sign     string
		of, than []string
	}{{"- ", before, now}, {"+ ", now, before}} {
		other := map[string]bool{}
		for _, fact := range side.than {
			other[fact] = true
		}
		for _, fact := range side.of {
			if !other[fact] {
				out = append(out, side.sign+fact)
			}
		}
	}
	return out
}

// facts are what the file of a map says, a line for each thing, in its order.
func (m *Map) facts() []string {
	out := []string{"it is the map of " + m.Module}
	say := func(before string, all []ID) {
		for _, id := range all {
			out = append(out, before+string(id))
		}
	}
	for _, l := range m.Libraries {
		out = append(out, "instrumented: "+l)
	}
	for _, note := range m.Notes {
		out = append(out, "note: "+note)
	}
	say("type ", m.Types)
	say("refuses keys that it does not have: ", m.Strict)
	for _, c := range m.Parameters {
		out = append(out, "parameter "+string(c.ID))
		for _, is := range []struct{ said, what string }{{c.Type, " is of type " + c.Type}, {c.Default, " is " + c.Default + " by default"}} {
			if is.said != "" {
				out = append(out, string(c.ID)+is.what)
			}
		}
		if c.Several {
			out = append(out, string(c.ID)+" is a flag of several commands")
		}
		say(string(c.ID)+" is ", c.Aliases)
	}
	for _, p := range m.Packages {
		out = append(out, "package "+p.Path)
		if p.Problem != "" {
			out = append(out, p.Path+" was not run: "+p.Problem)
		}
		for _, t := range p.Tests {
			out = append(out, t.facts(p.Path)...)
		}
	}
	return out
}

// facts are what a map says of a test of a package.
func (t Test) facts(in string) []string {
	name := t.in(in)
	out := []string{name}
	if t.Ends != "" {
		out = append(out, name+" ends: "+t.Ends)
	}
	if t.Only {
		out = append(out, name+" is marked for others only")
	}
	for _, of := range []struct {
		what string
		ids  []ID
	}{
		{"reads", t.Reads}, {"sets", t.Sets}, {"besides reads", t.Besides}, {"makes", t.Makes}, {"is marked for", t.Marked}, {"may be marked for", t.Optional},
	} {
		for _, id := range of.ids {
			out = append(out, name+" "+of.what+" "+string(id))
		}
	}
	return out
}
