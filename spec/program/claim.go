package program

import (
	"github.com/seatrial/seatrial/spec/config"
	"github.com/seatrial/seatrial/spec/resolver"
	"github.com/seatrial/seatrial/spec/syntax"
)

// claims fails where a configuration names what is not of the kind that is expected there: an invariant about a step, a
// constant that an operator with other arguments stands for.
func claims(cfg *config.Config, names *resolver.Names) {
	for _, kind := range []struct {
		names  []syntax.Name
		what   string
		most   resolver.Level
		beyond string // where what is above belongs
	}{
		{[]syntax.Name{cfg.Init}, "INIT", resolver.State, ""},
		{[]syntax.Name{cfg.Next}, "NEXT", resolver.Step, ""},
		{cfg.Invariants, "INVARIANT", resolver.State, "; PROPERTY is for formulas about steps and behaviours"},
		{cfg.Constraints, "CONSTRAINT", resolver.State, "; ACTION_CONSTRAINT is for steps"},
		{cfg.ActionConstraints, "ACTION_CONSTRAINT", resolver.Step, ""},
		{[]syntax.Name{cfg.View}, "VIEW", resolver.State, ""},
		{[]syntax.Name{cfg.Alias}, "ALIAS", resolver.Step, ""},
		{[]syntax.Name{cfg.Postcondition}, "POSTCONDITION", resolver.State, ""},
		{cfg.Symmetry, "SYMMETRY", resolver.Rigid, ""},
	} {
		for _, n := range kind.names {
			if l, ok := names.Level(n.Text); ok && l > kind.most {
				fail(n.At, "%s is %s, and a name after %s may be at most %s%s", n.Text, l, kind.what, kind.most, kind.beyond)
			}
		}
	}
	for _, n := range cfg.Properties {
		if l, ok := names.Level(n.Text); ok && l == resolver.Step {
			fail(n.At, "%s is %s, and a name after PROPERTY says something of behaviours; [][%s]_v says that all steps are like that", n.Text, l, n.Text)
		}
	}
	for _, g := range cfg.Constants {
		if g.Definition.Text == "" || g.Module != "" {
			continue
		}
		takes, ok := names.Takes(g.Name.Text)
		if given, found := names.Takes(g.Definition.Text); ok && found && given != takes {
			fail(g.Definition.At, "%s cannot stand for %s: it takes %d arguments, and not %d", g.Definition.Text, g.Name.Text, given, takes)
		}
	}
	if n := cfg.Init; cfg.Specification.Text != "" && (n.Text != "" || cfg.Next.Text != "") {
		if n.Text == "" {
			n = cfg.Next
		}
		fail(n.At, "the configuration gives SPECIFICATION, and INIT or NEXT beside it: one of them says what the behaviours are")
	}
}
