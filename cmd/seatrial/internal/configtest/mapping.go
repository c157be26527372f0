package configtest

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// seen is what was observed of one package.
type seen struct {
	run.Package
	Observations []observation
}

// declared is what the text of a module says of its parameters.
type declared struct {
	// Parameters are those that are known without running anything, and Aliases which of them feed each other.
	Parameters []parameter.ID `json:"parameters"`
	// Types are those of which some are fields.
	Types   []parameter.ID    `json:"types"`
	Aliases [][2]parameter.ID `json:"aliases"`
	// Libraries are those that are instrumented, and Notes what cannot be seen.
	Libraries []string `json:"libraries"`
	Notes     []string `json:"notes"`
}

// newMap joins what the text says and what was seen.
func newMap(m *run.Module, d declared, packages []seen) *parameter.Map {
	classes := &parameter.Classes{}
	for _, id := range d.Parameters {
		classes.Add(id)
	}
	for _, pair := range d.Aliases {
		classes.Join(pair[0], pair[1])
	}
	for _, p := range packages {
		for _, o := range p.Observations {
			for _, pair := range o.Hands {
				classes.Join(pair[0], pair[1])
			}
			for _, id := range slices.Concat(o.Reads, o.Sets) {
				classes.Add(id)
			}
		}
	}
	handed := map[parameter.ID]bool{} // variables that are another name of something: to ask for them reads nothing
	for _, c := range classes.All() {
		for _, id := range c.Aliases {
			handed[id] = id.Kind() == parameter.Env
		}
		if c.ID.Kind() == parameter.Env && slices.ContainsFunc(c.Aliases, func(id parameter.ID) bool { return id.Kind() != parameter.Env }) {
			handed[c.ID] = true
		}
	}
	out := &parameter.Map{Schema: parameter.Schema, Module: m.Path, Libraries: d.Libraries, Notes: d.Notes, Types: d.Types}
	for _, p := range packages {
		to := parameter.Package{Path: p.Name, Key: p.Key, Problem: p.Problem}
		for _, o := range p.Observations {
			to.Tests = append(to.Tests, o.test(classes, handed))
		}
		out.Packages = append(out.Packages, to)
	}
	out.Parameters = classes.All()
	return out
}

// test is an observation with one name for each parameter.
func (o observation) test(classes *parameter.Classes, handed map[parameter.ID]bool) parameter.Test {
	out := parameter.Test{Name: o.Test, Makes: o.Makes}
	if o.Ending != run.Passed {
		out.Ends = string(o.Ending)
	}
	for _, id := range o.Sets {
		out.Sets = append(out.Sets, classes.Of(id))
	}
	out.Sets = sorted(out.Sets)
	reads := slices.Clone(o.Reads)
	for _, name := range o.Variables {
		id := parameter.New(parameter.Env, name)
		classes.Add(id)
		reads = append(reads, id)
	}
	for _, file := range o.Files {
		id := parameter.New(parameter.File, file)
		classes.Add(id)
		reads = append(reads, id)
	}
	for _, id := range reads {
		if of := classes.Of(id); !handed[id] && !slices.Contains(out.Sets, of) {
			out.Reads = append(out.Reads, of)
		}
	}
	out.Reads = sorted(out.Reads)
	return out
}
