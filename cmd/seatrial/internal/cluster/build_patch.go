package cluster

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/effect"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/upstream/apply"
)

// patch is a patch of Deployments whose outcome is worked out when all else that
// brings pod templates is known.
type patch struct {
	*effect.Patch
	raw   []byte
	merge bool
	path  string
}

// patch is the effect of patching Deployments; closePatches completes it.
func (b *builder) patch(p *scenario.Patch, works []int, where *effect.Condition, at string) effect.Effect {
	e := &effect.Patch{Works: works, Where: where, Results: map[int]*effect.Patched{}}
	for _, i := range works {
		e.Results[i] = &effect.Patched{}
	}
	b.patches = append(b.patches, &patch{e, p.Patch, p.Type == "merge", at + ".patch"})
	return e
}

// closePatches applies every patch to every template and all settings that a
// Deployment may have, those included that patches make, until there are no new
// ones.
func (b *builder) closePatches() {
	for again := true; again && len(b.problems) == 0; {
		again = false
		for _, p := range b.patches {
			for _, i := range p.Works {
				spec := &b.w.Workloads[i]
				last := model.Form{Rev: uint8(len(spec.Revisions) - 1), Settings: uint8(len(spec.Settings) - 1)}
				again = b.patched(p, i, last) || again
			}
		}
	}
}

// patched works out what a patch makes of the templates and the settings of
// Deployment i up to those given, and tells whether there was anything to do. It
// does to neither what depends on the other.
func (b *builder) patched(p *patch, i int, last model.Form) bool {
	result, did := p.Results[i], false
	for r := len(result.Rev); r <= int(last.Rev) && len(b.problems) == 0; r++ {
		if o, source := b.patchForm(p, i, model.Form{Rev: uint8(r)}); o != nil {
			result.Rev = append(result.Rev, b.revision(i, &o.Spec.Template, source))
		}
		did = true
	}
	for s := len(result.Settings); s <= int(last.Settings) && len(b.problems) == 0; s++ {
		if o, source := b.patchForm(p, i, model.Form{Settings: uint8(s)}); o != nil {
			result.Settings = append(result.Settings, b.settings(i, o, source, b.w.Workloads[i].Settings[s].Written))
		}
		did = true
	}
	return did
}

// patchForm is what a patch makes of Deployment i in a form; nil is a problem,
// which is noted.
func (b *builder) patchForm(p *patch, i int, form model.Form) (*appsv1.Deployment, *manifest.Source) {
	before := b.formed(i, form)
	before.Status = appsv1.DeploymentStatus{}
	after := &appsv1.Deployment{}
	raw, err := apply.Patched(before, p.raw, p.merge, after)
	if err != nil {
		b.fail(b.w.ScenarioSource, p.path, "%s: the API server would reject it: %v", p.path, err)
		return nil, nil
	}
	if after.Kind != before.Kind || after.APIVersion != before.APIVersion {
		b.fail(b.w.ScenarioSource, p.path+".kind", "%s.kind: a patch cannot change the kind", p.path)
		return nil, nil
	}
	b.unchanged(before, after, p.path, "a patch")
	o, source, err := b.in.Decode(raw, p.path)
	if err != nil {
		b.blame(err, p.path)
		return nil, nil
	}
	if len(b.w.Workloads[i].Revisions) >= revisionsMax {
		b.fail(b.w.ScenarioSource, p.path, "%s: the patches make more than %d pod templates of one another", p.path, revisionsMax)
		return nil, nil
	}
	result := p.Results[i]
	if result.Replicas, err = apply.PatchedReplicas(before, p.raw, p.merge); err != nil {
		b.fail(b.w.ScenarioSource, p.path, "%s: %v", p.path, err)
	}
	return o.(*appsv1.Deployment), source // its kind is still what it was
}

// cordon is the effect of patching nodes: of a Node the state holds
// spec.unschedulable.
func (b *builder) cordon(p *scenario.Patch, where *effect.Condition, at string) effect.Effect {
	out := &effect.Cordon{Where: where}
	for i := range b.w.Nodes {
		if b.w.AboutNode(p.Nodes, i) {
			out.Nodes = append(out.Nodes, i)
		}
	}
	var change struct {
		Spec struct {
			Unschedulable *bool `json:"unschedulable"`
		} `json:"spec"`
	}
	path := at + ".patch"
	for _, field := range leaves(p.Patch, "") {
		if field != "spec.unschedulable" {
			b.fail(b.w.ScenarioSource, path+"."+field, "%s.%s: of a Node only spec.unschedulable can be patched", path, field)
			return out
		}
	}
	if err := json.Unmarshal(p.Patch, &change); err != nil {
		b.fail(b.w.ScenarioSource, path+".spec.unschedulable", "%s.spec.unschedulable: must be true or false", path)
		return out
	}
	// null removes the field: its default is false.
	out.Unschedulable = change.Spec.Unschedulable != nil && *change.Spec.Unschedulable
	for _, i := range out.Nodes {
		before := b.w.Nodes[i].Node
		after := &corev1.Node{}
		if _, err := apply.Patched(before, p.Patch, p.Type == "merge", after); err != nil {
			b.fail(b.w.ScenarioSource, path, "%s: the API server would reject it: %v", path, err)
			break
		}
		if after.Spec.Unschedulable != out.Unschedulable || !equality.Semantic.DeepEqual(before.Labels, after.Labels) {
			b.fail(b.w.ScenarioSource, path, "%s: of a Node only spec.unschedulable can be patched", path)
			break
		}
	}
	return out
}

// leaves are the paths of the fields of an object that are no objects.
func leaves(raw []byte, prefix string) []string {
	var fields map[string]json.RawMessage
	if !strings.HasPrefix(strings.TrimSpace(string(raw)), "{") || json.Unmarshal(raw, &fields) != nil || len(fields) == 0 {
		return []string{prefix}
	}
	var out []string
	for _, name := range sortedKeys(fields) {
		path := name
		if prefix != "" {
			path = fmt.Sprintf("%s.%s", prefix, name)
		}
		out = append(out, leaves(fields[name], path)...)
	}
	return out
}
