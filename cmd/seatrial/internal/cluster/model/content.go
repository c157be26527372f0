package model

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
)

// content is a digest of what real code is shown of a World beside a State. Worlds
// that differ in spec.replicas only, which is the State's, have the same.
type content [16]byte

// digester puts together what a content is made of. Each part is preceded by its
// length, so that no two lists of parts are one.
type digester struct{ hash.Hash }

func newDigester() digester { return digester{sha256.New()} }

func (d digester) bytes(b []byte) {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(b)))
	d.Write(length[:])
	d.Write(b)
}

// printed adds values as they print; none of them may be a pointer or hold one.
func (d digester) printed(values ...any) { d.bytes(fmt.Appendf(nil, "%q", values)) }

// object is an API object. Marshalling one writes to its quantities, so it has to
// be a copy where others hold it.
type object interface{ Marshal() ([]byte, error) }

func (d digester) object(o object) {
	b, err := o.Marshal()
	if err != nil {
		panic(err) // it was decoded from bytes
	}
	d.bytes(b)
}

func (d digester) sum() content {
	var out content
	copy(out[:], d.Sum(nil))
	return out
}

// contentOfRest is the content of all but the nodes; config stands for the
// scheduler's configuration.
func (w *World) contentOfRest(config int) content {
	d := newDigester()
	d.printed(config, w.Distinct, len(w.Workloads), len(w.HPAs), len(w.PDBs), len(w.Namespaces), len(w.Services), len(w.PriorityClasses), w.Descheduler != nil)
	for i := range w.Workloads {
		w.Workloads[i].digest(d)
	}
	for i := range w.HPAs {
		d.printed(len(w.HPAs[i].Revisions))
		for _, r := range w.HPAs[i].Revisions {
			d.printed(r.Work)
			d.object(r.HPA.DeepCopy())
		}
	}
	for i := range w.PDBs {
		d.printed(len(w.PDBs[i].Revisions))
		for _, r := range w.PDBs[i].Revisions {
			d.object(r.PDB.DeepCopy())
		}
	}
	w.digestStatic(d)
	if w.Descheduler != nil {
		d.bytes(w.Descheduler.Value)
	}
	return d.sum()
}

// digestStatic adds what a scheduler keeps for its life, beside its configuration.
func (w *World) digestStatic(d digester) {
	for _, o := range w.Namespaces {
		d.object(o.DeepCopy())
	}
	for _, o := range w.Services {
		d.object(o.DeepCopy())
	}
	for _, o := range w.PriorityClasses {
		d.object(o.DeepCopy())
	}
}

// digest adds a workload without spec.replicas: those that real code is shown are
// the State's.
func (w *WorkloadSpec) digest(d digester) {
	d.printed(w.Kind, w.Held, w.Namespace, w.Name, len(w.Revisions), w.Selector != nil)
	if w.Selector != nil {
		d.printed(w.Selector.Empty(), w.Selector.String())
	}
	o := w.Deployment.DeepCopy()
	o.Spec.Replicas = nil
	d.object(o)
	d.printed(len(w.Settings), w.Waits)
	for _, s := range w.Settings {
		d.object(s.Deployment.DeepCopy())
	}
	for _, r := range w.Revisions {
		d.printed(r.Of, r.Set != nil)
		if r.Set != nil {
			d.object(r.Set.DeepCopy())
		}
		d.object(r.Pod.DeepCopy())
	}
	loads, err := json.Marshal(w.Loads)
	if err != nil {
		panic(err) // it was decoded from JSON
	}
	d.bytes(loads)
}

// contentOfAll is the content of the nodes and of the rest.
func (w *World) contentOfAll(rest content) content {
	d := newDigester()
	d.bytes(rest[:])
	for i := range w.Nodes {
		d.printed(w.Nodes[i].Class, w.Nodes[i].Slot)
		d.object(w.Nodes[i].Node.DeepCopy())
	}
	return d.sum()
}
