package process

import (
	"maps"
	"os"
	"slices"
	"strings"
)

// Environment is what a controller gets: this process's own environment without what
// leads to another cluster or to the user's caches, with KUBECONFIG, HOME,
// SEATRIAL=true and what extra has, which wins. Sorted by name.
//
// Where the user has an HTTP proxy, loopback addresses are exempt from it: Go does that
// by itself, and other languages do not.
func Environment(kubeconfig, home string, extra map[string]string) []string {
	return environment(os.Environ(), kubeconfig, home, extra)
}

func environment(own []string, kubeconfig, home string, extra map[string]string) []string {
	all := map[string]string{}
	for _, line := range own {
		if name, value, ok := strings.Cut(line, "="); ok && name != "" && !foreign(name) {
			all[name] = value
		}
	}
	if slices.ContainsFunc([]string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"},
		func(name string) bool { return all[name] != "" }) {
		for _, name := range []string{"NO_PROXY", "no_proxy"} {
			if all[name] != "*" {
				all[name] = strings.TrimPrefix(all[name]+",127.0.0.1,localhost,::1", ",")
			}
		}
	}
	all["KUBECONFIG"], all["HOME"], all["SEATRIAL"] = kubeconfig, home, "true"
	maps.Copy(all, extra)
	lines := make([]string, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, name+"="+all[name])
	}
	return lines
}

// foreign are variables that lead to another cluster, or to what clients keep of it.
func foreign(name string) bool {
	switch name {
	case "KUBECONFIG", "KUBERNETES_MASTER", "KUBECACHEDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME":
		return true
	}
	return strings.HasPrefix(name, "KUBERNETES_SERVICE_") || strings.HasPrefix(name, "KUBERNETES_PORT")
}

// value is the last one of a name, as the system takes it.
func value(lines []string, name string) string {
	for _, line := range slices.Backward(lines) {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return v
		}
	}
	return ""
}
