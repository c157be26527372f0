package manifest

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	schedulerv1 "k8s.io/kube-scheduler/config/v1"
	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"
	schedulerscheme "k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	schedulervalidation "k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	deschedulerv1alpha2 "sigs.k8s.io/descheduler/pkg/api/v1alpha2"
	kjson "sigs.k8s.io/json"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/scenario"
	"github.com/seatrial/seatrial/finding"
)

// schedulerConfig takes a KubeSchedulerConfiguration as kube-scheduler does:
// its own strict codec, defaulting and validation.
func (l *loader) schedulerConfig(raw []byte, gvk schema.GroupVersionKind, source *Source) {
	if !l.expect(gvk, schedulerv1.SchemeGroupVersion.WithKind("KubeSchedulerConfiguration"), source) ||
		!l.one(source, sourceOf(l.in.SchedulerConfig)) {
		return
	}
	var config *schedulerconfig.KubeSchedulerConfiguration
	var invalid error
	err := guard(func() error {
		obj, actual, err := schedulerscheme.Codecs.UniversalDecoder().Decode(raw, nil, nil)
		if err != nil {
			return err
		}
		var ok bool
		if config, ok = obj.(*schedulerconfig.KubeSchedulerConfiguration); !ok {
			return fmt.Errorf("decoded as %T", obj)
		}
		// Conversion loses the version, which the validation asks for.
		config.APIVersion = actual.GroupVersion().String()
		if errs := schedulervalidation.ValidateKubeSchedulerConfiguration(config); errs != nil {
			invalid = errs
		}
		return nil
	})
	if err != nil {
		l.problems = append(l.problems, schedulerProblems(raw, source, err)...)
		return
	}
	l.problems = append(l.problems, errorProblems(invalid, source)...)
	l.in.SchedulerConfig = &Object[*schedulerconfig.KubeSchedulerConfiguration]{config, raw, source}
}

var argsError = regexp.MustCompile(`decoding args for plugin ([A-Za-z0-9]+): (.*)`)

// schedulerProblems places the decoder's error. The arguments of a plugin are
// decoded apart, and the error names the plugin.
func schedulerProblems(raw []byte, source *Source, err error) Problems {
	m := argsError.FindStringSubmatch(err.Error())
	if m == nil {
		return explain(raw, &schedulerv1.KubeSchedulerConfiguration{}, source, err)
	}
	var config struct {
		Profiles []struct {
			PluginConfig []struct {
				Name string `json:"name"`
			} `json:"pluginConfig"`
		} `json:"profiles"`
	}
	if kjson.UnmarshalCaseSensitivePreserveInts(raw, &config) == nil {
		for i, p := range config.Profiles {
			for j, c := range p.PluginConfig {
				if c.Name != m[1] {
					continue
				}
				path := fmt.Sprintf("profiles[%d].pluginConfig[%d].args", i, j)
				if quoted := quotedField.FindStringSubmatch(m[2]); quoted != nil {
					path = joinPath(path, quoted[1])
				}
				return Problems{source.problem(path, "%s: %s", path, strings.TrimPrefix(m[2], "strict decoding error: "))}
			}
		}
	}
	return Problems{source.problem("", "%v", err)}
}

var quotedField = regexp.MustCompile(`field "([^"]+)"`)

// errorProblems places the field errors in err, however they are nested.
func errorProblems(err error, source *Source) Problems {
	if err == nil {
		return nil
	}
	var errs []error
	if aggregate := utilerrors.Aggregate(nil); errors.As(err, &aggregate) {
		errs = utilerrors.Flatten(aggregate).Errors()
	} else {
		errs = []error{err}
	}
	var problems Problems
	for _, e := range errs {
		if fe := (*field.Error)(nil); errors.As(e, &fe) {
			problems = append(problems, fieldProblems(field.ErrorList{fe}, schema.GroupVersionKind{}, source)...)
			continue
		}
		problems = append(problems, source.problem(leadingPath(e.Error()), "%v", e))
	}
	return problems
}

var leadingField = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9]*(?:\[[^\]]*\])*(?:\.[A-Za-z0-9]+(?:\[[^\]]*\])*)*): `)

// leadingPath is the field path that a message begins with, if it does.
func leadingPath(message string) string {
	if m := leadingField.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// deschedulerPolicy keeps a DeschedulerPolicy as JSON.
func (l *loader) deschedulerPolicy(raw []byte, gvk schema.GroupVersionKind, source *Source) {
	want := schema.GroupVersionKind{Group: "descheduler", Version: "v1alpha2", Kind: "DeschedulerPolicy"}
	if !l.expect(gvk, want, source) || !l.one(source, sourceOf(l.in.DeschedulerPolicy)) {
		return
	}
	// The descheduler itself drops fields that it does not know.
	policy := &deschedulerv1alpha2.DeschedulerPolicy{}
	strict, err := kjson.UnmarshalStrict(raw, policy)
	if err == nil && len(strict) > 0 {
		err = utilerrors.NewAggregate(strict)
	}
	if err != nil {
		l.problems = append(l.problems, explain(raw, policy, source, err)...)
		return
	}
	if check := l.options.ValidateDescheduler; check != nil {
		if err := guard(func() error { return check(raw) }); err != nil {
			problem := source.problem(leadingPath(err.Error()), "%v", err)
			if problem.Location.Line == source.Position("").Line {
				source.placeByWord(&problem.Location, err.Error())
			}
			l.problems = append(l.problems, problem)
		}
	}
	l.in.DeschedulerPolicy = &Object[[]byte]{raw, raw, source}
}

// Mentioned returns the place of what a message names without its path, such as
// the plugin of a configuration; the object's if it is not found.
func (s *Source) Mentioned(message string) finding.Location {
	location := s.Position("")
	s.placeByWord(&location, message)
	return location
}

// placeByWord moves a location to the key or value of the document that is the
// longest word of a message: for messages that name a plugin or a field, but
// not its path.
func (s *Source) placeByWord(location *finding.Location, message string) {
	words := map[string]bool{}
	for _, word := range strings.FieldsFunc(message, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
	const lettersMin = 3
	best, seen := lettersMin-1, map[*yaml.Node]bool{}
	var visit func(n *yaml.Node)
	visit = func(n *yaml.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		if n.Kind == yaml.ScalarNode && len(n.Value) > best && words[n.Value] {
			best, location.Line, location.Column = len(n.Value), n.Line, n.Column
		}
		for _, child := range n.Content {
			visit(child)
		}
		visit(n.Alias)
	}
	for i := 0; s.root != nil && i+1 < len(s.root.Content); i += 2 {
		if key := s.root.Content[i].Value; key != "apiVersion" && key != "kind" && key != "metadata" {
			visit(s.root.Content[i])
			visit(s.root.Content[i+1])
		}
	}
}

// scenario takes a Scenario.
func (l *loader) scenario(raw []byte, gvk schema.GroupVersionKind, source *Source) {
	group, version, _ := strings.Cut(scenario.APIVersion, "/")
	want := schema.GroupVersionKind{Group: group, Version: version, Kind: scenario.Kind}
	if !l.expect(gvk, want, source) || !l.one(source, sourceOf(l.in.Scenario)) {
		return
	}
	s := &scenario.Scenario{}
	strict, err := kjson.UnmarshalStrict(raw, s)
	if err == nil && len(strict) > 0 {
		err = utilerrors.NewAggregate(strict)
	}
	if err != nil {
		l.problems = append(l.problems, explain(raw, s, source, err)...)
		return
	}
	l.in.Scenario = &Object[*scenario.Scenario]{s, raw, source}
}

// expect refuses other kinds and versions of a group with one kind.
func (l *loader) expect(got, want schema.GroupVersionKind, source *Source) bool {
	switch {
	case got.Kind != want.Kind:
		l.fail(source, "kind", "no kind %s in %s, did you mean %s?", got.Kind, got.Group, want.Kind)
	case got.Version != want.Version:
		l.fail(source, "apiVersion", "%s %s is not supported: use %s", got.GroupVersion(), got.Kind, want.GroupVersion())
	default:
		return true
	}
	return false
}
