package environment_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// objects are what a namespace holds, decoded.
func (w *world) objects(namespace string) (all []map[string]any) {
	for o := range w.state.Objects() {
		if o.Meta().GetNamespace() != namespace {
			continue
		}
		var fields map[string]any
		if err := json.Unmarshal(o.JSON(), &fields); err != nil {
			w.t.Fatal(err)
		}
		kind := w.server.ResourceOf(o).Kind.Kind
		fields["kind"] = kind
		all = append(all, fields)
	}
	return all
}

// show is what counts of objects: without what is drawn, counted or a time, and with what was
// made of a template's hash told by the template's image.
func show(all []map[string]any) string {
	names := map[string]string{}
	for _, o := range all {
		for _, label := range []string{"pod-template-hash", "controller.kubernetes.io/hash"} {
			if hash, ok := at(o, "metadata", "labels", label).(string); ok && (o["kind"] == "ReplicaSet" || o["kind"] == "ControllerRevision") {
				names[hash] = "HASH-" + image(o)
			}
		}
	}
	var out []string
	for _, o := range all {
		text, _ := json.Marshal(normal(o))
		shown := string(text)
		for from, to := range names {
			shown = strings.ReplaceAll(shown, from, to)
		}
		out = append(out, shown)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// at is a field, nil if there is none.
func at(o any, path ...string) any {
	for _, name := range path {
		m, _ := o.(map[string]any)
		o = m[name]
	}
	return o
}

// image is that of the template of a ReplicaSet or ControllerRevision.
func image(o map[string]any) string {
	containers, _ := at(o, "spec", "template", "spec", "containers").([]any)
	if o["kind"] == "ControllerRevision" {
		containers, _ = at(o, "data", "spec", "template", "spec", "containers").([]any)
	}
	if len(containers) == 0 {
		return ""
	}
	return fmt.Sprint(at(containers[0], "image"))
}

// normal is what counts of an object.
func normal(o map[string]any) map[string]any {
	m, _ := o["metadata"].(map[string]any)
	name, _ := m["name"].(string)
	if prefix, ok := m["generateName"].(string); ok && at(m, "labels", "statefulset.kubernetes.io/pod-name") == nil {
		name = prefix + "*"
	}
	out := map[string]any{"": fmt.Sprint(o["kind"], "/", name)}
	put := func(name string, v any) {
		if v = prune(v); v != nil {
			out[name] = v
		}
	}
	put("labels", m["labels"])
	put("annotations", m["annotations"])
	put("finalizers", m["finalizers"])
	put("ends", m["deletionTimestamp"] != nil)
	owners, _ := m["ownerReferences"].([]any)
	for _, r := range owners {
		put("owner", fmt.Sprint(at(r, "kind"), "/", at(r, "name"), " ", at(r, "controller"), " ", at(r, "blockOwnerDeletion")))
	}
	put("spec", o["spec"])
	put("status", o["status"])
	if status, ok := out["status"].(map[string]any); ok && o["kind"] == "Pod" && status["phase"] == "Pending" {
		delete(status, "conditions") // a kubelet says more of what a pod waits for
	}
	if observed := at(o, "status", "observedGeneration"); observed != nil && o["kind"] != "Pod" {
		put("observed", observed == m["generation"])
	}
	return out
}

// unimportant are fields of which the value is drawn or counted, is a time or of the
// release, or depends on how the plane is set up.
var unimportant = map[string]bool{
	"observedGeneration": true, "terminatingReplicas": true, "revision": true, "deployment.kubernetes.io/revision": true,
	"batch.kubernetes.io/controller-uid": true, "controller-uid": true, "kubernetes.io/metadata.name": true,
	"lastTransitionTime": true, "lastUpdateTime": true, "lastProbeTime": true, "startTime": true, "completionTime": true, "startedAt": true, "finishedAt": true,
	"podIP": true, "podIPs": true, "hostIP": true, "hostIPs": true, "nodeName": true, "imageID": true, "containerID": true, "message": true,
	"tolerations": true, "serviceAccount": true, "serviceAccountName": true, "volumeName": true, "volumes": true, "containerStatuses": true,
	"collisionCount": true, "deployment.kubernetes.io/revision-history": true, "resources": true, "pv.kubernetes.io/bind-completed": true, "pv.kubernetes.io/bound-by-controller": true,
	"volume.beta.kubernetes.io/storage-provisioner": true, "volume.kubernetes.io/storage-provisioner": true, "volume.kubernetes.io/selected-node": true,
	"storageClassName": true, "volumeMounts": true, "allocatedResources": true, "batch.kubernetes.io/job-completion-mode": true,
}

// prune is a value without what is unimportant or empty; conditions are in the order of their
// types.
func prune(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, is := range v {
			if unimportant[name] {
				continue
			}
			if is = prune(is); is != nil {
				out[name] = is
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	case []any:
		var out []any
		for _, is := range v {
			if is == "kubernetes.io/pvc-protection" {
				continue
			}
			if is = prune(is); is != nil {
				out = append(out, is)
			}
		}
		if len(out) == 0 {
			return nil
		}
		slices.SortStableFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(at(a, "type")), fmt.Sprint(at(b, "type"))) })
		return out
	case bool:
		if !v {
			return nil
		}
	case float64:
		if v == 0 {
			return nil
		}
	case string:
		if v == "" {
			return nil
		}
	}
	return v
}
