package oracle

import (
	"maps"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// reference is a ConfigMap or Secret.
type reference struct{ resource, name string }

func sortedReferences(m map[reference]uses) []reference {
	return slices.SortedFunc(maps.Keys(m), func(a, b reference) int {
		return strings.Compare(a.resource+"/"+a.name, b.resource+"/"+b.name)
	})
}

// What becomes of configuration in pods that run.
const (
	asFiles       = "as files, stay as they are: unless their program reads them again, it goes on with what it has read"
	asSubPath     = "as files of a subPath, which never change, stay as they are"
	inEnvironment = "in their environment, which never changes, stay as they are"
)

// use is how pods have a ConfigMap or Secret: all of it, or these keys alone.
type use struct {
	how  string
	keys []string
	// optional tells that they can be without.
	optional bool
}

// uses are all of one.
type uses []use

// of is how pods have what is at a path of the data; empty if they do not have it. That it never changes is worse than
// that it does and may not be read.
func (u uses) of(path string) (how string) {
	key := strings.TrimPrefix(strings.TrimPrefix(path, "binaryData"), "data")
	key = strings.TrimPrefix(key, ".")
	if rest, quoted := strings.CutPrefix(key, "["); quoted {
		key = strings.TrimSuffix(rest, "]")
	}
	for _, one := range u {
		if (len(one.keys) == 0 || slices.Contains(one.keys, key)) && (how == "" || how == asFiles) {
			how = one.how
		}
	}
	return how
}

// references are what a workload's template has of ConfigMaps and Secrets.
func references(workload history.Object) map[reference]uses {
	spec, _ := workload.At("spec", "template", "spec").(map[string]any)
	return referencesOf(spec)
}

// referencesOf are what pods of a spec have of them.
func referencesOf(pod history.Object) map[reference]uses {
	out := map[reference]uses{}
	add := func(resource, name string, u use) {
		if name != "" {
			out[reference{resource, name}] = append(out[reference{resource, name}], u)
		}
	}
	containers := append(list(pod, "containers"), list(pod, "initContainers")...)
	for _, volume := range list(pod, "volumes") {
		how, files := mounted(containers, volume.Text("name"))
		for _, s := range append(list(volume, "projected", "sources"), volume) {
			for _, of := range []struct{ resource, kind, name string }{{configMaps, "configMap", "name"}, {secrets, "secret", "secretName"}, {secrets, "secret", "name"}} {
				add(of.resource, s.Text(of.kind, of.name), use{how, keysOf(list(s, of.kind, "items"), files), s.At(of.kind, "optional") == true})
			}
		}
	}
	for _, container := range containers {
		for _, env := range list(container, "env") {
			for resource, field := range map[string]string{configMaps: "configMapKeyRef", secrets: "secretKeyRef"} {
				add(resource, env.Text("valueFrom", field, "name"), use{inEnvironment, []string{env.Text("valueFrom", field, "key")}, env.At("valueFrom", field, "optional") == true})
			}
		}
		for _, env := range list(container, "envFrom") {
			add(configMaps, env.Text("configMapRef", "name"), use{how: inEnvironment, optional: env.At("configMapRef", "optional") == true})
			add(secrets, env.Text("secretRef", "name"), use{how: inEnvironment, optional: env.At("secretRef", "optional") == true})
		}
	}
	return out
}

// mounted is how containers have a volume, and which of its files; all if there are none.
func mounted(containers []history.Object, volume string) (how string, files []string) {
	how = asFiles
	whole := false
	for _, container := range containers {
		for _, mount := range list(container, "volumeMounts") {
			if mount.Text("name") != volume {
				continue
			}
			if mount.Text("subPath")+mount.Text("subPathExpr") != "" {
				how = asSubPath
			}
			if path := mount.Text("subPath"); path != "" {
				files = append(files, path)
			} else {
				whole = true
			}
		}
	}
	if whole {
		return how, nil
	}
	return how, files
}

// keysOf are the keys whose files are mounted: those of the items, or else those that the files are called after; none
// for all.
func keysOf(items []history.Object, files []string) (keys []string) {
	if len(items) == 0 {
		return files
	}
	for _, item := range items {
		if len(files) == 0 || slices.Contains(files, item.Text("path")) {
			keys = append(keys, item.Text("key"))
		}
	}
	return keys
}
