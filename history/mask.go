package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mask says what of objects does not count. The zero Mask leaves nothing out.
//
// A pattern is a path, with a resource before it if it is for that one only:
//
//	metadata.managedFields
//	status.conditions[*].lastTransitionTime
//	metadata.annotations[deployment.kubernetes.io/revision]
//	pods:spec.volumes[kube-api-access-*]
//	leases.coordination.k8s.io:
//
// A * stands for any characters of one key and ** for any number of keys. An
// item of a list is named by its key, if such lists have one (a container's
// name, a condition's type), or by its position. Brackets hold what is no word;
// in quotes nothing in them is special. A pattern without a path masks whole
// objects. A ~ before a pattern masks the value only: that there is one counts. A !
// masks whole objects, too: those that have something at the path.
type Mask struct {
	patterns []pattern
}

type pattern struct {
	text     string
	resource element // empty: all
	path     []element
	valued   bool // ~: the value only
	whole    bool // !: objects that have the path
}

// defaults are what differs between two runs that do the same, and what says
// only when or how often something was written.
var defaults = []string{
	// Who leads and what was said: neither is a state of the cluster.
	"leases.coordination.k8s.io:",
	"events:",
	"events.events.k8s.io:",
	"!metadata.annotations[control-plane.alpha.kubernetes.io/leader]", // locks on ConfigMaps and Endpoints
	// Bookkeeping of the API server.
	"metadata.managedFields",
	"metadata.resourceVersion",
	"metadata.uid",
	"metadata.generation",
	"metadata.creationTimestamp",
	"~metadata.deletionTimestamp",
	"metadata.ownerReferences[*].uid",
	"status.observedGeneration",
	"status.conditions[*].observedGeneration",
	// Times.
	"status.conditions[*].lastHeartbeatTime",
	"status.conditions[*].lastProbeTime",
	"status.conditions[*].lastTransitionTime",
	"status.conditions[*].lastUpdateTime",
	"~status.startTime",
	"~status.completionTime",
	"~status.lastScaleTime",
	"~persistentvolumes:status.lastPhaseTransitionTime",
	"pods:status.*[*].state.**.startedAt",
	"pods:status.*[*].state.**.finishedAt",
	"pods:status.*[*].lastState.**.startedAt",
	"pods:status.*[*].lastState.**.finishedAt",
	// Identities and addresses that are drawn.
	"pods:status.*[*].**.containerID",
	"pods:status.*[*].imageID",
	"~pods:status.podIP",
	"~pods:status.podIPs",
	"pods:spec.volumes[kube-api-access-*]",
	"pods:spec.*[*].volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount].name",
	"pods:status.*[*].volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount].name",
	"~persistentvolumes:spec.csi.volumeHandle",
	"services:spec.clusterIP",
	"services:spec.clusterIPs",
	"services:spec.ports[*].nodePort",
	"**.labels[controller-uid]",
	"**.labels[batch.kubernetes.io/controller-uid]",
	"**.matchLabels[controller-uid]",
	"**.matchLabels[batch.kubernetes.io/controller-uid]",
	"endpointslices.discovery.k8s.io:endpoints[*].addresses",
	"endpointslices.discovery.k8s.io:endpoints[*].targetRef.name",
	"endpointslices.discovery.k8s.io:endpoints[*].targetRef.uid",
	"endpointslices.discovery.k8s.io:metadata.annotations[endpoints.kubernetes.io/last-change-trigger-time]",
	"endpoints:",
}

var builtIn = func() Mask {
	m, err := Mask{}.With(defaults...)
	if err != nil {
		panic(err) // the list above does not parse; a test reads it
	}
	return m
}()

// DefaultMask leaves out what differs between two runs that do the same:
// bookkeeping, times, drawn identities and addresses, leases and events.
func DefaultMask() Mask { return builtIn }

// With returns the mask with more patterns. An error names the pattern.
func (m Mask) With(patterns ...string) (Mask, error) {
	more := Mask{slices.Clone(m.patterns)}
	for _, text := range patterns {
		p, err := parsePattern(text)
		if err != nil {
			return m, fmt.Errorf("mask %q: %w", text, err)
		}
		more.patterns = append(more.patterns, p)
	}
	return more, nil
}

// Patterns lists the patterns of the mask, for a report.
func (m Mask) Patterns() []string {
	texts := make([]string, len(m.patterns))
	for i, p := range m.patterns {
		texts[i] = p.text
	}
	return texts
}

func parsePattern(text string) (pattern, error) {
	if len(text) > patternBytesMax {
		return pattern{}, fmt.Errorf("longer than %d bytes", patternBytesMax)
	}
	p := pattern{text: text}
	path, valued := strings.CutPrefix(text, "~")
	path, whole := strings.CutPrefix(path, "!")
	p.valued, p.whole = valued, whole
	if i := strings.IndexAny(path, ":["); i >= 0 && path[i] == ':' {
		resource := path[:i]
		if resource == "" || strings.IndexFunc(resource, func(r rune) bool { return !bare(r) && r != '.' }) >= 0 {
			return pattern{}, fmt.Errorf("%q is no resource", resource)
		}
		p.resource, path = wildcard(resource), path[i+1:]
	}
	var err error
	if p.path, err = parsePath(path); err != nil {
		return pattern{}, err
	}
	switch {
	case len(p.path) == 0 && p.resource.text == "":
		return pattern{}, fmt.Errorf("neither a resource nor a path")
	case p.valued && p.whole:
		return pattern{}, fmt.Errorf("~ and ! do not go together")
	case len(p.path) == 0 && p.valued:
		return pattern{}, fmt.Errorf("~ needs a path")
	case len(p.path) == 0 && p.whole:
		return pattern{}, fmt.Errorf("! needs a path")
	}
	return p, nil
}

// Ignores tells whether objects of the resource do not count at all.
func (m Mask) Ignores(resource string) bool {
	return slices.ContainsFunc(m.patterns, func(p pattern) bool {
		return len(p.path) == 0 && p.resource.matches(resource)
	})
}

// IgnoresObject tells whether an object does not count at all: because of its
// resource, or of what it has.
func (m Mask) IgnoresObject(resource string, o Object) bool {
	return m.Ignores(resource) || has("", map[string]any(o), m.start(resource, true))
}

// IgnoresEvent tells whether nothing that counts can be written by the event: its
// object does not count before it or after.
func (m Mask) IgnoresEvent(e Event) bool {
	return m.IgnoresObject(e.Resource, e.Object) || m.IgnoresObject(e.Resource, e.Previous)
}

// has tells whether there is anything in the value of a field where the patterns lead.
func has(field string, v any, here place) bool {
	if len(here) == 0 {
		return false
	}
	below := func(field string, v any, names ...string) bool {
		next, masked := here.step(names...)
		return v != nil && (masked != kept || has(field, v, next))
	}
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if below(key, child, key) {
				return true
			}
		}
	case []any:
		keys, _ := keysOf(field, v)
		for i, child := range v {
			names := []string{strconv.Itoa(i)}
			if keys != nil {
				names = append(names, keys[i])
			}
			if below("", child, names...) {
				return true
			}
		}
	}
	return false
}

// place is how far the patterns have come on the way to a value.
type place []progress

type progress struct {
	*pattern
	at int // of path: the element that the next key has to match
}

// start is where the patterns begin, those of whole objects or the others.
func (m Mask) start(resource string, whole bool) place {
	var here place
	for i := range m.patterns {
		p := &m.patterns[i]
		if p.whole == whole && len(p.path) > 0 && (p.resource.text == "" || p.resource.matches(resource)) {
			here = here.reach(progress{p, 0})
		}
	}
	return here
}

// reach adds g, and what comes after if g is at an element that may be none.
func (h place) reach(g progress) place {
	if slices.Contains(h, g) {
		return h
	}
	h = append(h, g)
	if g.at < len(g.path)-1 && g.path[g.at].deep {
		return h.reach(progress{g.pattern, g.at + 1})
	}
	return h
}

// step follows the patterns to a child that has one or more names. It tells
// what the mask does to the child.
func (h place) step(names ...string) (next place, masked effect) {
	for _, g := range h {
		e := g.path[g.at]
		if !slices.ContainsFunc(names, e.matches) {
			continue
		}
		if e.deep {
			next = next.reach(g)
		}
		switch {
		case g.at < len(g.path)-1:
			next = next.reach(progress{g.pattern, g.at + 1})
		case g.valued:
			masked = max(masked, valued)
		default:
			masked = dropped
		}
	}
	return next, masked
}

// directed tells whether a pattern without ** leads on from here.
func (h place) directed() bool {
	return slices.ContainsFunc(h, func(g progress) bool { return !g.path[g.at].deep && (g.at == 0 || !g.path[g.at-1].deep) })
}

// effect is what a mask does to a value.
type effect int

const (
	kept    effect = iota
	valued         // it becomes Masked
	dropped        // it is left out
)
