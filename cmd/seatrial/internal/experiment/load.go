package experiment

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/history"
)

// waitUsual is how long a wait may take that says nothing else.
const waitUsual = 30 * time.Second

// Load reads an experiment and everything that it names. Errors about it are an
// [Error] each, joined.
func Load(path string) (*Experiment, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return Parse(path, name, folder, data)
}

// Parse is [Load] of a text; file stands for it in errors, folder is what paths in
// it are relative to, and name is its own if it has none.
func Parse(file, name, folder string, data []byte) (*Experiment, error) {
	d := decoder{Decoder{File: file}}
	e := d.decode(data)
	if e == nil {
		return nil, d.Failures()
	}
	if e.Metadata.Name == "" {
		e.Metadata.Name = name
	}
	d.resolve(e, folder)
	d.check(e)
	if err := d.Failures(); err != nil {
		return nil, err
	}
	return e, nil
}

// decoder reads the file of an experiment.
type decoder struct{ Decoder }

func (d *decoder) decode(data []byte) *Experiment {
	e := &Experiment{}
	var steps yaml.Node
	read := d.Document(data, Kind, map[string]any{
		"apiVersion": &e.APIVersion, "kind": &e.Kind, "metadata": &e.Metadata, "controller": &e.Controller, "setup": &e.Setup,
		"steps": &steps, "ignore": &e.Ignore, "properties": &e.Properties, "plane": &e.Plane,
	}, "an experiment has no field %q; it has apiVersion, kind, metadata, controller, setup, steps, ignore, properties and plane")
	if !read {
		return nil
	}
	if steps.Kind != 0 {
		d.steps(e, &steps)
	}
	if e.APIVersion != APIVersion || e.Kind != Kind {
		d.Fail(d.Lines["kind"], "this is no experiment: apiVersion: %s and kind: %s are wanted", APIVersion, Kind)
	}
	return e
}

func (d *decoder) steps(e *Experiment, value *yaml.Node) {
	if value.Kind != yaml.SequenceNode {
		d.Fail(value.Line, "steps is a list")
		return
	}
	for _, item := range value.Content {
		s := Step{Line: item.Line}
		before := d.Count()
		d.Part(item, item.Line, &s)
		s.broken = d.Count() > before
		e.Steps = append(e.Steps, s)
	}
}

// resolve reads the manifests, and finds the program.
func (d *decoder) resolve(e *Experiment, folder string) {
	budget := int64(bytesMax)
	manifests := func(line int, m *Manifests) (good bool) {
		paths := strings.Join(m.Paths, ", ")
		err := m.resolve(folder, &budget)
		if err == nil && paths != "" && m.IsZero() {
			err = fmt.Errorf("%s: there are no objects in it", paths)
		}
		if err != nil {
			d.Fail(line, "%s", oneLine(err))
		}
		return err == nil
	}
	manifests(d.Lines["setup"], &e.Setup)
	for i := range e.Steps {
		if s := &e.Steps[i]; !s.broken {
			s.broken = !manifests(s.Line, &s.Apply)
		}
	}
	e.Controller.resolve(folder)
}

// resolve makes the command's path and the directory absolute.
func (c *Controller) resolve(folder string) {
	if !filepath.IsAbs(c.Directory) {
		c.Directory = filepath.Join(folder, c.Directory)
	}
	if len(c.Command) > 0 && strings.Contains(c.Command[0], "/") && !filepath.IsAbs(c.Command[0]) {
		c.Command[0] = filepath.Join(folder, c.Command[0])
	}
}

// Executable finds the program of the command; the error says what to do.
func (c *Controller) Executable() (string, error) {
	if len(c.Command) == 0 {
		return "", errors.New("no command starts the controller: give one behind --, or as controller.command")
	}
	path, err := exec.LookPath(c.Command[0])
	if err != nil {
		return "", fmt.Errorf("the controller's program %s: %w", c.Command[0], errors.Unwrap(err))
	}
	return path, nil
}

func (d *decoder) check(e *Experiment) {
	if len(e.Steps) == 0 {
		d.Fail(d.Lines["steps"], "there are no steps: nothing would happen")
	}
	if _, err := history.DefaultMask().With(e.Ignore...); err != nil {
		d.Fail(d.Lines["ignore"], "%v", err)
	}
	if a := e.Controller.ServiceAccount; a != "" && strings.Count(a, "/") != 1 {
		d.Fail(d.Lines["controller"], "serviceAccount %q: write NAMESPACE/NAME", a)
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.broken {
			continue
		}
		if err := s.prepare(); err != nil {
			d.Fail(s.Line, "%s", oneLine(err))
		}
	}
	names := map[string]bool{}
	for i := range e.Properties {
		p := &e.Properties[i]
		if p.Name == "" || names[p.Name] {
			d.Fail(d.Lines["properties"], "property %d has no name of its own", i+1)
		}
		names[p.Name] = true
		if err := p.prepare(); err != nil {
			d.Fail(d.Lines["properties"], "property %s: %s", p.Name, oneLine(err))
		}
	}
}

func (p *Property) prepare() (err error) {
	text, n := "", 0
	for _, t := range []string{p.Always, p.Eventually, p.Finally} {
		if t != "" {
			text, n = t, n+1
		}
	}
	if n != 1 {
		return errors.New("it needs one of always, eventually and finally")
	}
	p.condition, err = Compile(text)
	return err
}

// prepare checks a step and compiles its condition.
func (s *Step) prepare() error {
	n := 0
	for _, set := range []bool{!s.Apply.IsZero(), s.Wait != nil, s.Patch != nil, s.Scale != nil, s.Delete != nil, len(s.Run) > 0} {
		if set {
			n++
		}
	}
	switch {
	case n != 1:
		return errors.New("a step is one of apply, wait, patch, scale, delete and run")
	case s.Wait != nil:
		return s.Wait.prepare()
	case s.Patch != nil && s.Patch.Object == Reference{}, s.Scale != nil && s.Scale.Object == Reference{}, s.Delete != nil && s.Delete.Object == Reference{}:
		return errors.New("it needs an object: which one is changed")
	case s.Patch != nil && len(s.Patch.Merge) == 0:
		return errors.New("patch needs merge, what is changed")
	case s.Patch != nil && s.Patch.Subresource != "" && s.Patch.Subresource != "status":
		return fmt.Errorf("subresource %q: it is status, or none", s.Patch.Subresource)
	case s.Scale != nil && s.Scale.Replicas < 0:
		return fmt.Errorf("replicas %d: they are 0 or more", s.Scale.Replicas)
	case s.Delete != nil:
		switch s.Delete.Propagation {
		case "", "Background", "Foreground", "Orphan":
		default:
			return fmt.Errorf("propagation %q: it is Background, Foreground or Orphan", s.Delete.Propagation)
		}
	}
	return nil
}

func (w *Wait) prepare() (err error) {
	switch {
	case w.Object == nil && w.Until == "":
		return errors.New("wait needs an object, or an expression that it waits until")
	case w.Gone && (w.Object == nil || w.Until != ""):
		return errors.New("wait with gone needs an object and no expression")
	}
	w.timeout = waitUsual
	if w.Timeout != "" {
		if w.timeout, err = time.ParseDuration(w.Timeout); err != nil || w.timeout <= 0 {
			return fmt.Errorf("timeout %q is no duration such as 30s", w.Timeout)
		}
	}
	if w.Until != "" {
		w.condition, err = Compile(w.Until)
	}
	return err
}

// Prepare checks and compiles an experiment that was decoded from a plan.
func (e *Experiment) Prepare() error {
	d := decoder{Decoder{File: "experiment"}}
	d.whole(&e.Setup)
	for i := range e.Steps {
		d.whole(&e.Steps[i].Apply)
	}
	d.check(e)
	return d.Failures()
}

// whole reports manifests that are not in a plan themselves.
func (d *decoder) whole(m *Manifests) {
	if len(m.Paths) > 0 {
		d.Fail(0, "it names the file %s: a plan holds its objects itself", m.Paths[0])
	}
}
