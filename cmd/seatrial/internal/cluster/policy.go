package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
)

// pluginPaths finds where a descheduler policy enables each plugin.
func pluginPaths(raw []byte) map[string][]string {
	var policy struct {
		Profiles []struct {
			PluginConfig []struct {
				Name string `json:"name"`
			} `json:"pluginConfig"`
			Plugins map[string]struct {
				Enabled []string `json:"enabled"`
			} `json:"plugins"`
		} `json:"profiles"`
	}
	out := map[string][]string{}
	if json.Unmarshal(raw, &policy) != nil {
		return out // LoadPolicy has judged it; without places there are just none to show
	}
	for i, p := range policy.Profiles {
		for _, point := range []string{"deschedule", "balance"} {
			for k, name := range p.Plugins[point].Enabled {
				out[name] = append(out[name], fmt.Sprintf("profiles[%d].plugins.%s.enabled[%d]", i, point, k))
			}
		}
		for k, c := range p.PluginConfig {
			if c.Name != "DefaultEvictor" {
				out[c.Name] = append(out[c.Name], fmt.Sprintf("profiles[%d].pluginConfig[%d]", i, k))
			}
		}
	}
	return out
}

// CheckPolicy says what is wrong with a descheduler policy; it is what
// manifest.Load is given to validate one with.
func CheckPolicy(raw []byte) error {
	policy, err := descheduler.LoadPolicy(raw)
	if err != nil {
		return err
	}
	if unknown := policy.Warnings(); len(unknown) > 0 {
		return errors.New(strings.Join(unknown, "; "))
	}
	_, err = descheduler.New(policy)
	return err
}
