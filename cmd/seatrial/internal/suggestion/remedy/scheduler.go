package remedy

import "encoding/json"

var _ = register(&Remedy{
	Name: "packing",
	Doc:  "makes the scheduler fill nodes, as HighNodeUtilization of the descheduler needs (MostAllocated, no default spreading)",
	Candidates: func(c *Case) []Candidate {
		packs := false
		for _, p := range c.policy().Profiles {
			for _, config := range p.PluginConfig {
				packs = packs || config.Name == "HighNodeUtilization"
			}
		}
		if !packs {
			return nil
		}
		weigh := func(name string) *node { return flow(object("name", text(name), "weight", number(1))) }
		wanted := map[string]*node{
			"NodeResourcesFit": object("name", text("NodeResourcesFit"), "args", object("scoringStrategy",
				object("type", text("MostAllocated"), "resources", list(weigh("cpu"), weigh("memory"))))),
			"PodTopologySpread": object("name", text("PodTopologySpread"), "args", object("defaultingType", text("List"))),
		}
		candidate := Candidate{
			Title: "make the scheduler fill nodes as the descheduler empties them (MostAllocated, no default spreading)",
			Cost:  "pods stand closer together: a lost node takes more of them", Rank: 38, Fields: 1,
		}
		if c.In.SchedulerConfig == nil {
			add, ok := document(c.In.DeschedulerPolicy.Source, object(
				"apiVersion", text("kubescheduler.config.k8s.io/v1"), "kind", text("KubeSchedulerConfiguration"), "profiles", list(object(
					"schedulerName", text("default-scheduler"), "pluginConfig", list(wanted["NodeResourcesFit"], wanted["PodTopologySpread"])))))
			if !ok {
				return nil
			}
			candidate.Edits = edits(add)
			return []Candidate{candidate}
		}
		var config struct {
			Profiles []struct{ PluginConfig []struct{ Name string } }
		}
		if json.Unmarshal(c.In.SchedulerConfig.Raw, &config) != nil || len(config.Profiles) != 1 {
			return nil
		}
		at := in(c.In.SchedulerConfig.Source, "profiles", 0, "pluginConfig")
		n := len(config.Profiles[0].PluginConfig)
		for _, name := range []string{"NodeResourcesFit", "PodTopologySpread"} {
			k := n
			for i, p := range config.Profiles[0].PluginConfig {
				if p.Name == name {
					k = i
				}
			}
			if k < n {
				continue // it is configured already, maybe so
			}
			value := wanted[name]
			if n++; n == 1 {
				candidate.Edits = append(candidate.Edits, at.set(list(value)))
			} else {
				candidate.Edits = append(candidate.Edits, at.at(n-1).set(value))
			}
		}
		if len(candidate.Edits) == 0 {
			return nil
		}
		return []Candidate{candidate}
	},
})
