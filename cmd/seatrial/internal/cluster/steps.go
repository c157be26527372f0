package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/hpa"
)

// steps are the totals between low and high (milli units) that a load event
// may set: those at which the autoscaler's answer changes, one below and above,
// and the two ends.
func (b *builder) steps(i int, name corev1.ResourceName, low, high int64) []int64 {
	out := []int64{low}
	if h := b.w.Workloads[i].HPA; h >= 0 {
		spec := b.w.HPAs[h].HPA
		all, err := hpa.LoadSteps(b.ctx, spec, hpa.Load{Resource: name, Pod: b.w.Workloads[i].Revisions[0].Pod})
		if err != nil {
			b.fail(b.w.HPAs[h].Source, "spec.metrics", "%v", err)
		}
		for _, v := range all {
			if v > low && v < high {
				out = append(out, v)
			}
		}
	}
	if high > low {
		out = append(out, high)
	}
	return out
}

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
