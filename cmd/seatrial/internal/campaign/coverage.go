package campaign

import (
	"maps"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/finding"
)

// fateRank says which fate counts where a case was tried several times: the most that came of it.
var fateRank = map[finding.Fate]int{
	finding.Effective: 4, finding.Ineffective: 3, finding.RefusedByServer: 2, finding.RefusedBySchema: 1,
}

// coverage says of each property what became of what there was to try.
func (o *Outcome) coverage() []finding.Covered {
	steps := map[string]*StepResult{} // the most that came of an operation, by its name
	for _, r := range o.Results {
		for i := range r.Steps {
			s := &r.Steps[i]
			if known := steps[s.Operation]; known == nil || !known.Effective && (s.Effective || known.Refused != "") {
				steps[s.Operation] = s
			}
		}
	}
	about := map[string][]*operation.Operation{} // by property, and those on several under ""
	for _, s := range o.Plan.Sequences {
		for _, op := range s.Operations {
			switch {
			case op.Repairs:
			case len(op.All()) == 1:
				about[op.Property] = append(about[op.Property], op)
			default:
				about[""] = append(about[""], op)
			}
		}
	}
	all := make([]finding.Covered, 0, len(o.Plan.Coverage()))
	for _, p := range o.Plan.Coverage() {
		c := finding.Covered{Property: p.Path, Type: p.Type, Kind: p.Kind, Opaque: p.Opaque, Why: p.Why}
		names := slices.Clone(p.Cases)
		for _, name := range slices.Sorted(maps.Keys(p.Refused)) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		for _, name := range names {
			one := finding.CoveredCase{Name: name, Fate: finding.Untried}
			if why, refused := p.Refused[name]; refused {
				one.Fate, one.Reason = finding.RefusedBySchema, why
			}
			// What came of several changes at once says less.
			for _, operations := range [][]*operation.Operation{about[p.Path], about[""]} {
				if fateRank[one.Fate] < fateRank[finding.RefusedByServer] {
					tried(&one, p.Path, operations, steps)
				}
			}
			c.Cases = append(c.Cases, one)
		}
		all = append(all, c)
	}
	return all
}

// tried notes what became of a case in some operations, if any of them was tried.
func tried(c *finding.CoveredCase, property string, all []*operation.Operation, steps map[string]*StepResult) {
	for _, op := range all {
		s := steps[op.Name]
		if s == nil || !op.Tries(property, c.Name) {
			continue
		}
		fate := finding.Ineffective
		switch {
		case s.Refused != "" && op.Refused != "":
			fate = finding.RefusedBySchema
		case s.Refused != "":
			fate = finding.RefusedByServer
		case s.Effective:
			fate = finding.Effective
		}
		if fateRank[fate] > fateRank[c.Fate] {
			c.Fate, c.Reason = fate, s.Refused
		}
	}
}
