package configtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// seen is what was observed of one package.
type seen struct {
	run.Package
	observed
	// late are tests that did not end in their time when they were last seen, and once only: it may have been a slow
	// hour.
	late []string
	// after are parameters that goroutines of tests were seen to read when these were over, by the test.
	after map[string][]parameter.ID
}

// declared is what the text of a module says of its parameters.
type declared struct {
	// Parameters are those that are known without running anything, and Aliases which of them feed each other.
	Parameters []parameter.ID `json:"parameters"`
	// Several are flags of more than one command, and Parts flags that are a part of what another parameter is, with
	// that.
	Several []parameter.ID    `json:"several"`
	Parts   [][2]parameter.ID `json:"parts"`
	// Strict are types of which the program refuses keys that they do not have.
	Strict []parameter.ID `json:"strict"`
	// Items are the fields of what collections of structs have.
	Items []parameter.Item `json:"items"`
	// Itself are types that read themselves.
	Itself []parameter.ID `json:"itself"`
	// OfTests are flags that only tests have: they are no parameters.
	OfTests []parameter.ID `json:"ofTests"`
	// Types are those of which some are fields.
	Types   []parameter.ID    `json:"types"`
	Aliases [][2]parameter.ID `json:"aliases"`
	// Libraries are those that are instrumented, and Notes what cannot be seen.
	Libraries []string `json:"libraries"`
	Notes     []string `json:"notes"`
}

// joining is a map that is made.
type joining struct {
	classes *parameter.Classes
	// several are flags of more than one command, or of a part of a parameter, with the parameters that any of them
	// feeds. They are joined with none: what they feed, or are a part of, would be joined with each other by it.
	several map[parameter.ID][]parameter.ID
	// handed are variables that are another name of something: to ask for them reads nothing.
	handed map[parameter.ID]bool
}

// newMap joins what the text says and what was seen.
func newMap(m *run.Module, d declared, packages []seen) *parameter.Map {
	j := &joining{classes: &parameter.Classes{}, several: map[parameter.ID][]parameter.ID{}, handed: map[parameter.ID]bool{}}
	for _, id := range d.Several {
		j.several[id] = []parameter.ID{}
	}
	for _, pair := range d.Parts {
		j.several[pair[0]] = append(j.several[pair[0]], pair[1])
	}
	for _, id := range d.Parameters {
		j.classes.Add(id)
	}
	packages = withoutOwn(packages, d.OfTests)
	for _, pair := range d.Aliases {
		j.join(pair)
	}
	for _, p := range packages {
		for _, o := range p.Observations {
			for _, pair := range o.Hands {
				j.join(pair)
			}
			for _, id := range slices.Concat(o.Reads, o.Late, o.Sets, o.Marked, o.Optional) {
				j.classes.Add(id)
			}
		}
	}
	for _, c := range j.classes.All() {
		for _, id := range c.Aliases {
			j.handed[id] = id.Kind() == parameter.Env
		}
		if c.ID.Kind() == parameter.Env && slices.ContainsFunc(c.Aliases, func(id parameter.ID) bool { return id.Kind() != parameter.Env }) {
			j.handed[c.ID] = true
		}
	}
	out := &parameter.Map{Schema: parameter.Schema, Module: m.Path, Libraries: d.Libraries, Notes: d.Notes, Types: d.Types, Strict: d.Strict, Items: d.Items, Itself: d.Itself}
	out.Notes = append(slices.Clone(d.Notes), unpatched(packages)...)
	for _, p := range packages {
		to := parameter.Package{Path: p.Name, Problem: p.Problem}
		for _, o := range p.Observations {
			to.Tests = append(to.Tests, j.test(o))
		}
		out.Packages = append(out.Packages, to)
	}
	out.Parameters = j.classes.All()
	for i := range out.Parameters {
		out.Parameters[i].Several = slices.Contains(d.Several, out.Parameters[i].ID)
	}
	return out
}

// withoutOwn are packages without what tests do with flags of their own, and with the one that libraries add for help.
func withoutOwn(packages []seen, flags []parameter.ID) []seen {
	own := func(id parameter.ID) bool { return id == "flag:--help" || slices.Contains(flags, id) }
	out := slices.Clone(packages)
	for i := range out {
		out[i].Observations = slices.Clone(out[i].Observations)
		for n := range out[i].Observations {
			o := &out[i].Observations[n]
			o.Reads, o.Sets = slices.DeleteFunc(slices.Clone(o.Reads), own), slices.DeleteFunc(slices.Clone(o.Sets), own)
			o.Besides = slices.DeleteFunc(slices.Clone(o.Besides), own)
		}
	}
	return out
}

// unpatched are notes of structs that tests asked for values in, in vain.
func unpatched(packages []seen) (out []string) {
	for _, p := range packages {
		for _, o := range p.Observations {
			for _, name := range o.Unpatched {
				out = append(out, fmt.Sprintf("%s calls configtest.Patch with a %s, which is no type of a configuration, or in several places of one: it is left as it is", o.Test, name))
			}
		}
	}
	return out
}

// join joins two parameters that feed each other.
func (j *joining) join(pair [2]parameter.ID) {
	for i, id := range pair {
		if fed, is := j.several[id]; is {
			j.classes.Add(pair[0])
			j.classes.Add(pair[1])
			j.several[id] = append(fed, pair[1-i])
			return
		}
	}
	j.classes.Join(pair[0], pair[1])
}

// test is an observation with one name for each parameter.
func (j *joining) test(o observation) parameter.Test {
	out := parameter.Test{Name: o.Test, Took: roughly(o.Took), Starts: o.Starts, Makes: o.Makes, Same: o.Same, Only: o.Only}
	for from, to := range map[*[]parameter.ID]*[]parameter.ID{&o.Marked: &out.Marked, &o.Optional: &out.Optional} {
		for _, id := range *from {
			*to = append(*to, j.classes.Of(id))
		}
		*to = sorted(*to)
	}
	if o.Ending != run.Passed {
		out.Ends = string(o.Ending)
	}
	for _, id := range o.Sets {
		out.Sets = append(out.Sets, j.classes.Of(id))
	}
	out.Sets = sorted(out.Sets)
	reads := slices.Clone(o.Reads)
	for _, name := range o.Variables {
		id := parameter.New(parameter.Env, name)
		j.classes.Add(id)
		reads = append(reads, id)
	}
	out.Data = o.Data
	for _, file := range o.Files {
		id := parameter.New(parameter.File, file)
		j.classes.Add(id)
		reads = append(reads, id)
	}
	for _, id := range o.Besides {
		if of := j.classes.Of(id); !j.handed[id] && slices.Contains(out.Sets, of) {
			out.Besides = append(out.Besides, of)
		}
	}
	out.Besides = sorted(out.Besides)
	for _, id := range sorted(reads) {
		of := j.classes.Of(id)
		switch {
		case j.handed[id]:
		case slices.Contains(out.Sets, of):
			out.Own = append(out.Own, of)
		default:
			out.Reads = append(out.Reads, of)
			if way := o.Ways[id]; way != "" {
				if out.Ways == nil {
					out.Ways = map[parameter.ID]string{}
				}
				out.Ways[of] += way
			}
		}
	}
	for _, id := range o.Late {
		j.classes.Add(id)
		out.Late = append(out.Late, j.classes.Of(id))
	}
	out.Late = sorted(out.Late)
	out.Own = sorted(out.Own)
	out.Reads = sorted(append(out.Reads, j.mayRead(out)...))
	return out
}

// roughly is a time of a test as one of few, so that a machine which is a little slower does not choose other tests: a
// sixteenth of a second, four times as much, and so on, the next that is not shorter. 0 is not known.
func roughly(took time.Duration) time.Duration {
	const first, times = time.Second / 16, 4
	if took == 0 {
		return 0
	}
	out := first
	for out < took {
		out *= times
	}
	return out
}

// mayRead are the flags that may feed what a test reads, or a part of it.
func (j *joining) mayRead(t parameter.Test) (out []parameter.ID) {
	for flag, fed := range j.several {
		for _, id := range fed {
			if slices.Contains(t.Reads, j.classes.Of(id)) && !slices.Contains(t.Sets, flag) {
				out = append(out, flag)
			}
		}
	}
	return out
}
