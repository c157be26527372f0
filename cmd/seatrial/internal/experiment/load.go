package experiment

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/history"
)

// waitUsual is how long a wait may take that says nothing else.
const waitUsual = 30 * time.Second

// fileMax bounds the file of an experiment, in bytes.
const fileMax = 8 << 20

// Error is about an experiment: what is wrong, where, and what to do.
type Error struct {
	File string
	Line int // 0 if it is about the whole file
	Text string
}

// Error is one line.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Text
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// Load reads an experiment and everything that it names. Errors about it are an
// [Error] each, joined.
func Load(path string) (*Experiment, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{File: path, Text: errors.Unwrap(err).Error()}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, fileMax+1))
	if err != nil {
		return nil, &Error{File: path, Text: err.Error()}
	}
	if len(data) > fileMax {
		return nil, &Error{File: path, Text: fmt.Sprintf("the file has more than %d MiB", fileMax>>20)}
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
	d := decoder{file: file}
	e := d.decode(data)
	if e == nil {
		return nil, d.failures()
	}
	if e.Metadata.Name == "" {
		e.Metadata.Name = name
	}
	d.resolve(e, folder)
	d.check(e)
	if err := d.failures(); err != nil {
		return nil, err
	}
	return e, nil
}

// decoder reads a file part by part, so that an error knows its line.
type decoder struct {
	file string
	errs []*Error
	// lines are those of the keys at the top, and of the steps.
	lines map[string]int
}

func (d *decoder) fail(line int, format string, args ...any) {
	d.errs = append(d.errs, &Error{d.file, line, fmt.Sprintf(format, args...)})
}

// failures are the errors in the order of their lines; nil if there are none.
func (d *decoder) failures() error {
	slices.SortStableFunc(d.errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	var all []error
	for _, err := range d.errs {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (d *decoder) decode(data []byte) *Experiment {
	var document, second yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(data))
	if err := documents.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		d.failYAML(0, err)
		return nil
	}
	if err := documents.Decode(&second); err == nil {
		d.fail(second.Line, "there is a second document: a file has one %s", Kind)
	} else if !errors.Is(err, io.EOF) {
		d.failYAML(0, err)
	}
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		d.fail(0, "this is no %s", Kind)
		return nil
	}
	e := &Experiment{}
	fields := map[string]any{
		"apiVersion": &e.APIVersion, "kind": &e.Kind, "metadata": &e.Metadata, "controller": &e.Controller, "setup": &e.Setup,
		"ignore": &e.Ignore, "properties": &e.Properties, "plane": &e.Plane,
	}
	d.lines = map[string]int{}
	root := document.Content[0]
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if _, twice := d.lines[key.Value]; twice {
			d.fail(key.Line, "%s is there twice", key.Value)
		}
		d.lines[key.Value] = key.Line
		switch into, known := fields[key.Value]; {
		case known:
			d.part(value, key.Line, into)
		case key.Value == "steps":
			d.steps(e, value)
		default:
			d.fail(key.Line, "an experiment has no field %q; it has apiVersion, kind, metadata, controller, setup, steps, ignore, properties and plane", key.Value)
		}
	}
	if e.APIVersion != APIVersion || e.Kind != Kind {
		d.fail(d.lines["kind"], "this is no experiment: apiVersion: %s and kind: %s are wanted", APIVersion, Kind)
	}
	return e
}

// part decodes one value.
func (d *decoder) part(value *yaml.Node, line int, into any) {
	timesAreTexts(value)
	var plain any
	if err := value.Decode(&plain); err != nil {
		d.failYAML(line, err)
		return
	}
	text, err := json.Marshal(plain)
	if err == nil {
		decode := json.NewDecoder(bytes.NewReader(text))
		decode.DisallowUnknownFields()
		err = decode.Decode(into)
	}
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		field := kind.Field
		if field != "" {
			field += ": "
		}
		d.fail(line, "%s%s is wanted, and there is %s", field, wanted(kind.Type), kind.Value)
	case err != nil:
		d.fail(line, "%s", strings.TrimPrefix(oneLine(err), "json: "))
	}
}

// wanted says in words what a field of a Go type takes.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a mapping"
	}
	return "a whole number"
}

// timesAreTexts lets what looks like a time be the text that it is for Kubernetes.
func timesAreTexts(n *yaml.Node) {
	if n.ShortTag() == "!!timestamp" && n.Style&yaml.TaggedStyle == 0 {
		n.Tag = "!!str"
	}
	for _, child := range n.Content {
		timesAreTexts(child)
	}
}

// lineOf is how the YAML library says where an error is.
var lineOf = regexp.MustCompile(`^yaml: (?:unmarshal errors: )?line (\d+): (.*)$`)

// failYAML is fail with an error of the YAML library, which may know a better line.
func (d *decoder) failYAML(line int, err error) {
	text := oneLine(err)
	if found := lineOf.FindStringSubmatch(text); found != nil {
		if n, err := strconv.Atoi(found[1]); err == nil {
			line, text = n, found[2]
		}
	}
	d.fail(line, "%s", strings.TrimPrefix(text, "yaml: "))
}

func (d *decoder) steps(e *Experiment, value *yaml.Node) {
	if value.Kind != yaml.SequenceNode {
		d.fail(value.Line, "steps is a list")
		return
	}
	for _, item := range value.Content {
		s := Step{Line: item.Line}
		before := len(d.errs)
		d.part(item, item.Line, &s)
		s.broken = len(d.errs) > before
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
			d.fail(line, "%s", oneLine(err))
		}
		return err == nil
	}
	manifests(d.lines["setup"], &e.Setup)
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
		d.fail(d.lines["steps"], "there are no steps: nothing would happen")
	}
	if _, err := history.DefaultMask().With(e.Ignore...); err != nil {
		d.fail(d.lines["ignore"], "%v", err)
	}
	if a := e.Controller.ServiceAccount; a != "" && strings.Count(a, "/") != 1 {
		d.fail(d.lines["controller"], "serviceAccount %q: write NAMESPACE/NAME", a)
	}
	for i := range e.Steps {
		s := &e.Steps[i]
		if s.broken {
			continue
		}
		if err := s.prepare(); err != nil {
			d.fail(s.Line, "%s", oneLine(err))
		}
	}
	names := map[string]bool{}
	for i := range e.Properties {
		p := &e.Properties[i]
		if p.Name == "" || names[p.Name] {
			d.fail(d.lines["properties"], "property %d has no name of its own", i+1)
		}
		names[p.Name] = true
		if err := p.prepare(); err != nil {
			d.fail(d.lines["properties"], "property %s: %s", p.Name, oneLine(err))
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
	d := decoder{file: "experiment"}
	d.whole(&e.Setup)
	for i := range e.Steps {
		d.whole(&e.Steps[i].Apply)
	}
	d.check(e)
	return d.failures()
}

// whole reports manifests that are not in a plan themselves.
func (d *decoder) whole(m *Manifests) {
	if len(m.Paths) > 0 {
		d.fail(0, "it names the file %s: a plan holds its objects itself", m.Paths[0])
	}
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func newLines(data []byte) *bufio.Reader { return bufio.NewReader(bytes.NewReader(data)) }
