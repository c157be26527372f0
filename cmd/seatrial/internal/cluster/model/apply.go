package model

// Apply is what an apply or a create does with the manifest of a Deployment. An
// apply is merged with what is there and with what was applied last; a state keeps
// which manifest that was as far as it matters.
type Apply struct {
	// Rev is the revision that the apply leaves, by what it finds: every pair that
	// can be. It is empty for a create.
	Rev map[Found]uint8
	// Replicas is what it makes of spec.replicas, by what was applied last.
	Replicas []func(int32) int32
	// After is what was applied last from then on.
	After uint8
	// First and FirstReplicas are those of a Deployment that it creates.
	First         uint8
	FirstReplicas int32
}

// Found is what an apply of a Deployment finds, apart from spec.replicas.
type Found struct{ Applied, Rev uint8 }

// Write does it to w. A create does nothing to what is there; changed tells
// whether anything did change.
func (a *Apply) Write(w *Workload) (changed bool) {
	before := *w
	switch {
	case !w.Exists:
		w.Exists, w.Rev, w.Before, w.Replicas, w.Applied = true, a.First, a.First, a.FirstReplicas, a.After
	case a.Rev != nil:
		rev, known := a.Rev[Found{w.Applied, w.Rev}]
		if !known {
			panic("model: an apply finds what the builder did not foresee")
		}
		w.Replicas = a.Replicas[w.Applied](w.Replicas)
		if rev != w.Rev {
			w.Before, w.Rev = w.Rev, rev
		}
		w.Applied = a.After
	}
	return !before.Exists || before.Replicas != w.Replicas || before.Rev != w.Rev || before.Applied != w.Applied
}
