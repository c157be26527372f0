// Package reproduction is a finding of a campaign in a form that stands alone: what was
// applied, to what, and what came of it. [Write] writes it as a folder: the resources for
// people, a file for `seatrial campaign --reproduce`, and a script and a Go test that run that.
package reproduction

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// Schema names the format of a reproduction's file.
const Schema = "seatrial.dev/reproduction/v1alpha1"

// Reproduction is one finding, and all that is needed to see whether it is still so, but the
// operator's program.
type Reproduction struct {
	Schema string `json:"schema"`
	// Version is that of the seatrial that found it.
	Version string `json:"version,omitempty"`
	// Name is what the campaign is called.
	Name  string `json:"name"`
	Found Found  `json:"found"`
	// Operations are applied one after another to Seed.
	Operations []*operation.Operation `json:"operations,omitempty"`
	// Behind is what is done behind the last of them.
	Behind Behind `json:"behind,omitempty"`
	// Traced tells that it is about where the values of all the operations go, not about
	// what the last leaves behind.
	Traced bool           `json:"traced,omitempty"`
	Seed   history.Object `json:"seed"`

	// What follows is as in [input.Input].

	Controller  experiment.Controller `json:"controller"`
	Setup       []history.Object      `json:"setup,omitempty"`
	Examples    []history.Object      `json:"examples,omitempty"`
	Kinds       map[string]string     `json:"kinds,omitempty"`
	Mask        []string              `json:"mask,omitempty"`
	Unmask      []string              `json:"unmask,omitempty"`
	Off         []string              `json:"off,omitempty"`
	Oracles     []input.Oracle        `json:"oracles,omitempty"`
	Folder      string                `json:"folder,omitempty"`
	Unreachable []string              `json:"unreachable,omitempty"`
	Plane       admin.Spec            `json:"plane,omitzero"`
}

// Found is what was seen.
type Found struct {
	// Oracle says it, and Rule is its rule's ID.
	Oracle string `json:"oracle"`
	Rule   string `json:"rule"`
	// Property is that of the custom resource that it is about.
	Property string `json:"property,omitempty"`
	// Cause is equal for what has the same cause, in whichever run it is seen.
	Cause string `json:"cause"`
	// Text says it; Object and Path are where, and Expected and Found stand side by side.
	Text     string      `json:"text"`
	Object   history.Key `json:"object,omitzero"`
	Path     string      `json:"path,omitempty"`
	Expected any         `json:"expected,omitempty"`
	Found    any         `json:"found,omitempty"`
}

// Behind is what is done when the last operation is over.
type Behind string

const (
	// Nothing is done.
	Nothing Behind = ""
	// Restart kills the operator and starts it again.
	Restart Behind = "restart"
	// Deletion deletes the custom resource.
	Deletion Behind = "deletion"
	// Creation is not behind it: the custom resource is created as the operations make it, and was never another.
	Creation Behind = "creation"
)

// New is a reproduction of what a campaign with this input has found. It shares what is in
// both.
func New(in *input.Input, version string, found Found) *Reproduction {
	return &Reproduction{
		Schema: Schema, Version: version, Name: in.Name, Found: found, Seed: in.Seed, Controller: in.Controller, Setup: in.Setup.Objects,
		Examples: in.Examples, Kinds: in.Kinds, Mask: in.Mask, Unmask: in.Unmask, Off: in.Off, Oracles: in.Oracles, Folder: in.Folder, Unreachable: in.Unreachable, Plane: in.Plane,
	}
}

// Input is the campaign's as far as it is needed. file stands for it in errors.
func (r *Reproduction) Input(file string) (*input.Input, error) {
	in := &input.Input{
		Name: r.Name, Seed: r.Seed, SeedPlace: file, Controller: r.Controller, Setup: experiment.Manifests{Objects: r.Setup},
		Examples: r.Examples, Kinds: r.Kinds, Mask: r.Mask, Unmask: r.Unmask, Off: r.Off, Oracles: r.Oracles, Folder: r.Folder, Unreachable: r.Unreachable, Plane: r.Plane,
	}
	if err := in.Again(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return in, nil
}

// Decode reads a reproduction, and finds what is wrong with it. Fields that it does not know
// are an error: another version wrote them, and they may matter.
func Decode(text []byte) (*Reproduction, error) {
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("this is no reproduction: %w", err)
	}
	if head.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, and this seatrial reads %s: run the campaign again", head.Schema, Schema)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	r := &Reproduction{}
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("this is no reproduction: %w", err)
	}
	return r, r.check()
}

// check names what is missing.
func (r *Reproduction) check() error {
	switch {
	case r.Found.Cause == "" || r.Found.Oracle == "":
		return errors.New("this is no reproduction: found.cause and found.oracle say what to look for, and one is empty")
	case r.Seed.Text("apiVersion") == "" || r.Seed.Text("kind") == "" || r.Seed.Text("metadata", "name") == "":
		return errors.New("this is no reproduction: the seed needs apiVersion, kind and metadata.name")
	case !slices.Contains([]Behind{Nothing, Restart, Deletion, Creation}, r.Behind):
		return fmt.Errorf("this is no reproduction: behind is %q; it may be %s, %s or %s", r.Behind, Restart, Deletion, Creation)
	}
	for i, o := range r.Operations {
		if o == nil {
			return fmt.Errorf("this is no reproduction: operation %d is null", i+1)
		}
	}
	for i, o := range r.Setup {
		if o == nil {
			return fmt.Errorf("this is no reproduction: object %d of setup is null", i+1)
		}
	}
	_, err := r.Resources()
	return err
}

// Encode writes it, as [Decode] reads it.
func (r *Reproduction) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Resources are the custom resource as it is applied, one after another: the seed first. An
// error names an operation that is not possible.
func (r *Reproduction) Resources() ([]history.Object, error) {
	all := []history.Object{r.Seed}
	for _, o := range r.Operations {
		next, err := o.Apply(all[len(all)-1])
		if err != nil {
			return nil, fmt.Errorf("operation %d, %s: %w", len(all), o.Name, err)
		}
		all = append(all, next)
	}
	return all, nil
}
