package model

// Apply is what an apply or a create does with the manifest of a Deployment. An
// apply is merged with what is there and with what was applied last; a state keeps
// which manifest that was as far as it matters.
type Apply struct {
	// Leaves is what the apply leaves, by what it finds: everything that can be. It
	// is empty for a create.
	Leaves map[Found]Form
	// Replicas is what it makes of spec.replicas, by what was applied last.
	Replicas []func(int32) int32
	// After is what was applied last from then on.
	After uint8
	// First and FirstReplicas are those of a Deployment that it creates.
	First         Form
	FirstReplicas int32
}

// Form is what a Deployment has beside spec.replicas: the revision of its pod
// template and its settings.
type Form struct{ Rev, Settings uint8 }

// Found is what an apply of a Deployment finds, apart from spec.replicas.
type Found struct {
	Applied uint8
	Form
}

// Form of w.
func (w *Workload) Form() Form { return Form{w.Rev, w.Settings} }

// SetForm writes the template and the settings of w.
func (w *Workload) SetForm(f Form) {
	if f.Rev != w.Rev {
		w.Before, w.Rev = w.Rev, f.Rev
	}
	w.Settings = f.Settings
}

// Create makes a Deployment that is not there.
func (w *Workload) Create(f Form, replicas int32) {
	w.Exists, w.Rev, w.Before, w.Settings, w.Replicas = true, f.Rev, f.Rev, f.Settings, replicas
}

// Write does it to w. A create does nothing to what is there; changed tells
// whether anything did change.
func (a *Apply) Write(w *Workload) (changed bool) {
	before := *w
	switch {
	case !w.Exists:
		w.Create(a.First, a.FirstReplicas)
		w.Applied = a.After
	case a.Leaves != nil:
		form, known := a.Leaves[Found{w.Applied, w.Form()}]
		if !known {
			panic("model: an apply finds what the builder did not foresee")
		}
		w.Replicas = a.Replicas[w.Applied](w.Replicas)
		w.SetForm(form)
		w.Applied = a.After
	}
	return !before.Exists || before.Replicas != w.Replicas || before.Form() != w.Form() || before.Applied != w.Applied
}
