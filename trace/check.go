package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Check tells what makes t no trace that a program could follow: it is all that
// can be wrong with a file edited by hand.
func (t *Trace) Check() error {
	if err := t.checkLoop(); err != nil {
		return err
	}
	if t.SetupOf != nil && *t.SetupOf < 0 {
		return fmt.Errorf("setupOf is %d, which is no index", *t.SetupOf)
	}
	if t.Setup != nil {
		if err := t.Setup.check(); err != nil {
			return fmt.Errorf("the setup: %w", err)
		}
	}
	there := ledger{}
	for i := range t.Pods {
		if err := there.add(&t.Pods[i]); err != nil {
			return fmt.Errorf("pods[%d]: %w", i, err)
		}
	}
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			if err := there.act(&t.Steps[i].Acts[k]); err != nil {
				return fmt.Errorf("steps[%d].acts[%d]: %w", i, k, err)
			}
		}
	}
	return t.checkAgain(there)
}

func (t *Trace) checkLoop() error {
	if t.Loop != nil && (*t.Loop < 0 || *t.Loop > len(t.Steps)) {
		return fmt.Errorf("the loop starts at step index %d of a trace with %d steps", *t.Loop, len(t.Steps))
	}
	return nil
}

func (t *Trace) checkAgain(there ledger) error {
	if len(t.Again) > 0 && (t.Loop == nil || *t.Loop == len(t.Steps)) {
		return errors.New("again is about a cycle, and there is none")
	}
	for i, a := range t.Again {
		if a.Was < 1 || !there[PodID{a.Owner, a.Revision, a.Is}] {
			return fmt.Errorf("again[%d]: pod %d of %s, revision %d is not there at the end of the cycle", i, a.Is, a.Owner, a.Revision)
		}
	}
	return nil
}

func (s *Setup) check() error {
	if s.Kubernetes == "" {
		return errors.New("kubernetes is missing")
	}
	for i, o := range s.Objects {
		if err := checkObject(o); err != nil {
			return fmt.Errorf("objects[%d]: %w", i, err)
		}
	}
	for i, w := range s.Workloads {
		if w.Object == "" {
			return fmt.Errorf("workloads[%d]: object is missing", i)
		}
	}
	return nil
}

// checkObject: raw JSON is of an object, or left out.
func checkObject(raw json.RawMessage) error {
	if text := bytes.TrimSpace(raw); len(raw) > 0 && (len(text) == 0 || text[0] != '{') {
		return errors.New("not a JSON object")
	}
	return nil
}

// ledger are the pods that are there.
type ledger map[PodID]bool

func (l ledger) add(p *Pod) error {
	id := p.ID()
	switch {
	case p.Owner == "":
		return errors.New("the owner of the pod is missing")
	case p.Phase == "":
		return fmt.Errorf("%s has no phase", id)
	case p.Revision < 0 || p.Ordinal < 1:
		return fmt.Errorf("%s: ordinals are counted from 1, revisions from 0", id)
	case l[id]:
		return fmt.Errorf("%s is there already", id)
	}
	l[id] = true
	return nil
}

func (l ledger) act(a *Act) error {
	switch {
	case a.Verb == "" || a.By == "":
		return errors.New("verb and by are needed")
	case a.Role != RoleEnvironment && a.Role != RoleController && a.Role != RoleInner:
		return fmt.Errorf("the role is %q; it is one of %s, %s, %s", a.Role, RoleEnvironment, RoleController, RoleInner)
	case a.Object == "" && a.Pod == nil && a.Role != RoleInner:
		return fmt.Errorf("%s by %s is about neither an object nor a pod", a.Verb, a.By)
	}
	for _, raw := range []json.RawMessage{a.Manifest, a.Patch, a.Load} {
		if err := checkObject(raw); err != nil {
			return fmt.Errorf("%s by %s: manifest, patch or load: %w", a.Verb, a.By, err)
		}
	}
	if a.Pod == nil {
		return nil
	}
	id := a.Pod.ID()
	if a.Verb == VerbCreate {
		return l.add(a.Pod)
	}
	if !l[id] {
		return fmt.Errorf("%s by %s: %s is not there", a.Verb, a.By, id)
	}
	if a.Gone {
		delete(l, id)
	}
	return nil
}

// raws calls f for all JSON that is passed on as it is.
func (t *Trace) raws(f func(*json.RawMessage)) {
	if s := t.Setup; s != nil {
		s.raws(f)
	}
	for i := range t.Steps {
		for k := range t.Steps[i].Acts {
			a := &t.Steps[i].Acts[k]
			f(&a.Manifest)
			f(&a.Patch)
			f(&a.Load)
		}
	}
}

func (s *Setup) raws(f func(*json.RawMessage)) {
	for i := range s.Objects {
		f(&s.Objects[i])
	}
	for name, c := range s.Components {
		f(&c)
		s.Components[name] = c
	}
	for i := range s.Workloads {
		w := &s.Workloads[i]
		f(&w.Load)
		for k := range w.Revisions {
			f(&w.Revisions[k].Template)
		}
	}
}

// tight takes the white space out of raw JSON, so that what is read is equal to
// what was written.
func tight(raw *json.RawMessage) {
	var b bytes.Buffer
	if len(*raw) > 0 && json.Compact(&b, *raw) == nil {
		*raw = b.Bytes()
	}
}

// Compact takes the white space out of the JSON that s passes on.
func (s *Setup) Compact() { s.raws(tight) }

// Compact takes the white space out of the JSON that t passes on.
func (t *Trace) Compact() { t.raws(tight) }
