package remedy

import (
	"encoding/json"
	"slices"
)

// policy is what remedies read of a DeschedulerPolicy.
type policy struct {
	Profiles []struct {
		Name         string
		PluginConfig []pluginConfig
	}
}

type pluginConfig struct {
	Name string
	Args struct {
		NodeFit     *bool
		Constraints []string
	}
}

func (c *Case) policy() policy {
	var p policy
	if c.In.DeschedulerPolicy != nil {
		_ = json.Unmarshal(c.In.DeschedulerPolicy.Value, &p) // it was read before, strictly
	}
	return p
}

var _ = register(&Remedy{
	Name: "descheduler-fit",
	Doc:  "lets the descheduler evict only what fits on another node (nodeFit)",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for i, p := range c.policy().Profiles {
			configs := in(c.In.DeschedulerPolicy.Source, "profiles", i, "pluginConfig")
			k := slices.IndexFunc(p.PluginConfig, func(one pluginConfig) bool { return one.Name == "DefaultEvictor" })
			candidate := Candidate{
				Title: "set nodeFit of the descheduler's DefaultEvictor to true",
				Cost:  "pods that fit nowhere else are no longer evicted", Rank: 2,
			}
			switch {
			case k < 0:
				candidate.Edits = edits(configs.at(len(p.PluginConfig)).set(object("name", text("DefaultEvictor"), "args", object("nodeFit", flag(true)))))
			case p.PluginConfig[k].Args.NodeFit == nil || !*p.PluginConfig[k].Args.NodeFit:
				candidate.Edits = edits(configs.at(k, "args", "nodeFit").set(flag(true)))
			default:
				continue
			}
			out = append(out, candidate)
		}
		return out
	},
})

var _ = register(&Remedy{
	Name: "descheduler-hard-only",
	Doc:  "leaves soft spread constraints to the scheduler: the descheduler looks at DoNotSchedule only",
	Candidates: func(c *Case) []Candidate {
		var out []Candidate
		for i, p := range c.policy().Profiles {
			for k, config := range p.PluginConfig {
				n := slices.Index(config.Args.Constraints, "ScheduleAnyway")
				if n < 0 || len(config.Args.Constraints) < 2 {
					continue
				}
				out = append(out, Candidate{
					Title: "take ScheduleAnyway out of the constraints of the descheduler's " + config.Name,
					Cost:  "soft spread constraints are looked at only when a pod is placed", Rank: 6,
					Edits: edits(in(c.In.DeschedulerPolicy.Source, "profiles", i, "pluginConfig", k, "args", "constraints", n).remove()),
				})
			}
		}
		return out
	},
})
