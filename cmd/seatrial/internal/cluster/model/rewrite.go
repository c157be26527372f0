package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// Absent is the revision of an autoscaler or a budget that is not there.
const Absent uint8 = math.MaxUint8

// Written is one version of an autoscaler or a budget: as it is given, as an
// event creates it, or as an apply leaves it.
type Written struct {
	Object runtime.Object
	// Source has the lines of what was written: those of the file, or of the
	// manifest of the event or applier.
	Source *manifest.Source
	// Base is what the manifest was merged into; nil for a given or created object.
	Base *Written
}

// Ref points at a field where it was written last.
func (v *Written) Ref(path, message string) Ref {
	for v.Base != nil && !v.Source.Has(path) && !changedAt(v.Base.Object, v.Object, path) {
		v = v.Base
	}
	return Ref{Source: v.Source, Path: path, Message: message}
}

// FieldChange is a field of the spec that two versions have differently; From or
// To is "none" where a version has not got it.
type FieldChange struct{ Path, From, To string }

// FieldChanges are the fields of the spec in which two versions differ, by path.
func FieldChanges(before, after runtime.Object) []FieldChange {
	return differ("spec", specOf(before), specOf(after), nil)
}

// changedAt tells whether two versions differ at a path, above or below it.
func changedAt(before, after runtime.Object, path string) bool {
	return slices.ContainsFunc(FieldChanges(before, after), func(c FieldChange) bool {
		return within(c.Path, path) || within(path, c.Path)
	})
}

// within tells whether a path is that of a field or of a part of it.
func within(path, field string) bool {
	rest, under := strings.CutPrefix(path, field)
	return under && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// specOf is an object's spec as JSON has it.
func specOf(o runtime.Object) any {
	var fields struct {
		Spec any `json:"spec"`
	}
	raw, err := json.Marshal(o)
	if err == nil {
		err = json.Unmarshal(raw, &fields)
	}
	if err != nil {
		return nil // an API object always has JSON
	}
	return fields.Spec
}

// differ adds the fields in which two values at a path differ.
func differ(path string, before, after any, out []FieldChange) []FieldChange {
	switch old := before.(type) {
	case map[string]any:
		if now, ok := after.(map[string]any); ok {
			names := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(now))
			slices.Sort(names)
			for _, name := range slices.Compact(names) {
				out = differ(path+"."+name, old[name], now[name], out)
			}
			return out
		}
	case []any:
		if now, ok := after.([]any); ok {
			for i := range max(len(old), len(now)) {
				out = differ(fmt.Sprintf("%s[%d]", path, i), item(old, i), item(now, i), out)
			}
			return out
		}
	}
	if from, to := shown(before), shown(after); from != to {
		out = append(out, FieldChange{path, from, to})
	}
	return out
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// shown is a value in a sentence.
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case map[string]any:
		return "{…}"
	case []any:
		return "[…]"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// saidMax is how many changed fields a sentence names.
const saidMax = 3

// Differences says what changes from one revision of the object of r to another.
func (w *World) Differences(r *Rewrite, before, after uint8) string {
	if before == after {
		return "nothing changes"
	}
	all := FieldChanges(w.Version(r, before).Object, w.Version(r, after).Object)
	if len(all) == 0 {
		return "only its labels or last-applied annotation change"
	}
	return strings.Join(said(all), ", ")
}

// said are the changes in words, those beyond the first few as a number.
func said(all []FieldChange) []string {
	var out []string
	for i, c := range all {
		if i == saidMax {
			return append(out, fmt.Sprintf("%d more", len(all)-saidMax))
		}
		out = append(out, fmt.Sprintf("%s %s to %s", c.Path, c.From, c.To))
	}
	return out
}

// Rewrite is what a manifest of an autoscaler or a budget does when it is applied
// or created.
type Rewrite struct {
	// HPA or PDB is the index of the object; the other is -1.
	HPA, PDB int
	// Next is the revision that it leaves, by the one that is there; it is empty
	// for a create, which does nothing to what is there.
	Next []uint8
	// First is the revision it makes where there is none.
	First uint8
	// Source has the lines of the manifest.
	Source *manifest.Source
}

// revision is the present one of the object that r is about.
func (r *Rewrite) revision(s *State) uint8 {
	if r.HPA >= 0 {
		return s.HPA[r.HPA].Rev
	}
	return s.PDB[r.PDB].Rev
}

// Turns gives the revision that r finds and the one that it leaves; possible is
// false if r would create what is there already.
func (r *Rewrite) Turns(s *State) (before, after uint8, possible bool) {
	before = r.revision(s)
	switch {
	case before == Absent:
		return before, r.First, true
	case len(r.Next) == 0:
		return before, before, false
	}
	return before, r.Next[before], true
}

// Version is the version of the object that a revision stands for.
func (w *World) Version(r *Rewrite, rev uint8) *Written {
	if r.HPA >= 0 {
		return w.HPAs[r.HPA].Revisions[rev].Written
	}
	return w.PDBs[r.PDB].Revisions[rev].Written
}

// Object names what r is about as messages do.
func (w *World) Object(r *Rewrite) string {
	if r.HPA >= 0 {
		return "HorizontalPodAutoscaler " + w.HPAs[r.HPA].Name()
	}
	return "PodDisruptionBudget " + w.PDBs[r.PDB].Name()
}

// Subject is the workload that the object of r scales in s, or NoWork.
func (w *World) Subject(s *State, r *Rewrite) int {
	if r.HPA >= 0 {
		if spec := w.AutoscalerSpec(s, r.HPA); spec != nil && spec.Work >= 0 {
			return spec.Work
		}
	}
	return NoWork
}

// Write brings the object of r to a revision in to, which must not be shared yet.
// A budget whose spec changes is of a new generation, which its status has not
// seen (PrepareForUpdate of pkg/registry/policy/poddisruptionbudget counts it up);
// what the autoscaler's controller remembers is by name and stays, but the
// selector of another target is not known to it before it has looked.
func (w *World) Write(to *State, r *Rewrite, rev uint8) {
	if r.PDB >= 0 {
		b := to.EditPDB(r.PDB)
		changed := b.Rev == Absent || !equality.Semantic.DeepEqual(w.PDBs[r.PDB].Revisions[b.Rev].PDB.Spec, w.PDBs[r.PDB].Revisions[rev].PDB.Spec)
		b.Rev, b.Stale = rev, b.Stale || changed
		return
	}
	a := to.EditHPA(r.HPA)
	if a.Rev != Absent && w.HPAs[r.HPA].Revisions[a.Rev].Work != w.HPAs[r.HPA].Revisions[rev].Work {
		a.Memory.Selecting, a.Reason = false, 0
	}
	a.Rev = rev
}

// Remove deletes the object of r in to, which must not be shared yet. The
// autoscaler's controller forgets what it remembers of one that is gone.
func (w *World) Remove(to *State, r *Rewrite) {
	if r.PDB >= 0 {
		*to.EditPDB(r.PDB) = Budget{Rev: Absent}
		return
	}
	*to.EditHPA(r.HPA) = Autoscaler{Rev: Absent}
}

// AutoscalerSpec is what autoscaler i is told in s; nil if it is not there.
func (w *World) AutoscalerSpec(s *State, i int) *HPARevision {
	if rev := s.HPA[i].Rev; rev != Absent {
		return &w.HPAs[i].Revisions[rev]
	}
	return nil
}

// BudgetSpec is what budget i is told in s; nil if it is not there.
func (w *World) BudgetSpec(s *State, i int) *PDBRevision {
	if rev := s.PDB[i].Rev; rev != Absent {
		return &w.PDBs[i].Revisions[rev]
	}
	return nil
}

// rescaled tells whether a step changes an autoscaler of workload i.
func (x *Turn) rescaled(to *State, i int) bool {
	first := x.Workloads[i].HPA
	if first < 0 {
		return false
	}
	for h := first; h < len(x.HPAs); h++ {
		if x.State.HPA[h].Rev == to.HPA[h].Rev {
			continue
		}
		for _, s := range []*State{x.State, to} {
			if spec := x.AutoscalerSpec(s, h); spec != nil && spec.Work == i {
				return true
			}
		}
	}
	return false
}
