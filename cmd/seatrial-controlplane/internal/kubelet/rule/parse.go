package rule

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Problem is what is wrong in a file of rules, and where.
type Problem struct {
	File string
	Line int
	What string
}

func (p *Problem) Error() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What) }

// Parse reads rules as docs/kubelet-rules.md describes them: a YAML list. file is
// what errors call it; the first thing that is wrong is returned as a *Problem.
// Empty text is no rules.
func Parse(file string, text []byte) ([]Rule, error) {
	r := reader{file}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, r.syntax(err)
	}
	if len(document.Content) == 0 {
		return nil, nil
	}
	list := resolve(document.Content[0])
	if list.Kind == yaml.ScalarNode && list.Tag == "!!null" {
		return nil, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, r.problem(list, "rules are a list: begin each with a dash")
	}
	out := make([]Rule, 0, len(list.Content))
	for _, n := range list.Content {
		rule, err := r.rule(n)
		if err != nil {
			return nil, err
		}
		out = append(out, rule)
	}
	return out, nil
}

// resolve follows an alias.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// reader reads the nodes of one file.
type reader struct{ file string }

func (r reader) problem(n *yaml.Node, format string, args ...any) error {
	return &Problem{r.file, max(n.Line, 1), fmt.Sprintf(format, args...)}
}

// syntax puts the line of an error of the YAML parser where ours have it.
func (r reader) syntax(err error) error {
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(what, "line "); ok {
		if number, said, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				line, what = n, said
			}
		}
	}
	return &Problem{r.file, line, what}
}

// field is one field of a mapping and what reads its value.
type field struct {
	name string
	read func(*yaml.Node) error
}

// mapping reads the fields of a mapping. One that is not there is left alone; one
// that is unknown or there twice is refused.
func (r reader) mapping(n *yaml.Node, what string, fields ...field) error {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		return r.problem(n, "%s: want fields (name: value)", what)
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := resolve(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			return r.problem(n.Content[i], "%s: the name of a field is a word", what)
		}
		if seen[key.Value] {
			return r.problem(n.Content[i], "%s: field %q is there twice", what, key.Value)
		}
		seen[key.Value] = true
		known := make([]string, len(fields))
		found := false
		for j, f := range fields {
			known[j] = f.name
			if f.name != key.Value {
				continue
			}
			found = true
			if err := f.read(n.Content[i+1]); err != nil {
				return err
			}
		}
		if !found {
			return r.problem(n.Content[i], "%s: unknown field %q; known are %s", what, key.Value, strings.Join(known, ", "))
		}
	}
	return nil
}

func (r reader) rule(n *yaml.Node) (Rule, error) {
	var out Rule
	var pods, nodes bool
	// about notes whether a field is of pods or of nodes.
	about := func(which *bool, f field) field {
		read := f.read
		return field{f.name, func(n *yaml.Node) error { *which = true; return read(n) }}
	}
	fields := []field{r.text("name", &out.Name)}
	for _, f := range []field{
		{"pods", func(n *yaml.Node) (err error) { out.Pods, err = r.selection(n); return err }},
		r.span("start", &out.Start),
		{"updates", func(n *yaml.Node) error { return r.updates(n, &out.Updates) }},
		{"reject", func(n *yaml.Node) error { out.Reject = new(Refusal); return r.refusal(n, out.Reject) }},
		{"evict", func(n *yaml.Node) error { out.Evict = new(Eviction); return r.eviction(n, out.Evict) }},
		{"pull", func(n *yaml.Node) error { out.Pull = new(Pull); return r.pull(n, out.Pull) }},
		r.span("run", &out.Run, Never),
		r.exit("exit", &out.Exit),
		r.count("exits", &out.Exits),
		r.span("liveness", &out.Liveness, Never),
		r.span("startup", &out.Startup, Never),
		r.span("ready", &out.Ready, Never),
		{"unready", func(n *yaml.Node) error { out.Unready = new(Unready); return r.unready(n, out.Unready) }},
		r.span("stop", &out.Stop, WholeGrace),
		r.exit("stopExit", &out.StopExit),
		{"backOff", func(n *yaml.Node) error { return r.factor(n, &out.BackOff) }},
	} {
		fields = append(fields, about(&pods, f))
	}
	for _, f := range []field{
		{"nodes", func(n *yaml.Node) error {
			if err := r.scalar(n, "nodes", &out.Nodes); err != nil || out.Nodes != "" {
				return err
			}
			return r.problem(n, "nodes: want a pattern of names; * is all")
		}},
		{"pressure", func(n *yaml.Node) error { return r.pressure(n, &out.Pressure) }},
		r.span("evictEvery", &out.EvictEvery, Never),
	} {
		fields = append(fields, about(&nodes, f))
	}
	if err := r.mapping(n, "rule", fields...); err != nil {
		return out, err
	}
	switch {
	case pods && nodes:
		return out, r.problem(n, "a rule is about pods or about nodes: make two of it")
	case nodes && out.Nodes == "":
		return out, r.problem(n, "a rule about nodes says which: nodes: \"*\" is all")
	}
	return out, nil
}

func (r reader) selection(n *yaml.Node) (*Selection, error) {
	s := new(Selection)
	return s, r.mapping(n, "pods",
		r.text("namespace", &s.Namespace), r.text("name", &s.Name),
		field{"labels", func(n *yaml.Node) error {
			var text string
			if err := r.scalar(n, "labels", &text); err != nil {
				return err
			}
			selector, err := labels.Parse(text)
			if err != nil {
				return r.problem(n, "labels: %v; write it as kubectl takes it: app=web,tier in (a,b)", err)
			}
			s.Labels = selector
			return nil
		}},
		field{"owner", func(n *yaml.Node) error {
			var text string
			if err := r.scalar(n, "owner", &text); err != nil {
				return err
			}
			s.OwnerKind, s.OwnerName, _ = strings.Cut(text, "/")
			if s.OwnerKind == "" {
				return r.problem(n, "owner: want Kind or Kind/name; the name may have *")
			}
			return nil
		}},
		r.text("image", &s.Image), r.text("container", &s.Container),
		field{"annotation", func(n *yaml.Node) error {
			var text string
			if err := r.scalar(n, "annotation", &text); err != nil {
				return err
			}
			s.Annotation, s.Value, _ = strings.Cut(text, "=")
			if s.Annotation == "" {
				return r.problem(n, "annotation: want key or key=value; the value may have *")
			}
			return nil
		}},
		r.text("node", &s.Node),
		field{"phase", func(n *yaml.Node) error {
			return word(r, n, "phase", &s.Phase, corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed)
		}},
		field{"restartPolicy", func(n *yaml.Node) error {
			return word(r, n, "restartPolicy", &s.RestartPolicy, corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever)
		}})
}

func (r reader) scalar(n *yaml.Node, name string, to *string) error {
	n = resolve(n)
	if n.Kind != yaml.ScalarNode {
		return r.problem(n, "%s: want one value", name)
	}
	*to = n.Value
	return nil
}

func (r reader) text(name string, to *string) field {
	return field{name, func(n *yaml.Node) error { return r.scalar(n, name, to) }}
}

// word reads one of a few words.
func word[T ~string](r reader, n *yaml.Node, name string, to *T, words ...T) error {
	var text string
	if err := r.scalar(n, name, &text); err != nil {
		return err
	}
	said := make([]string, len(words))
	for i, w := range words {
		if text == string(w) {
			*to = w
			return nil
		}
		said[i] = string(w)
	}
	return r.problem(n, "%s: %q is not one of %s", name, text, strings.Join(said, ", "))
}

// span reads a time, or one of the words for special ones.
func (r reader) span(name string, to **time.Duration, special ...time.Duration) field {
	return field{name, func(n *yaml.Node) error {
		var text string
		if err := r.scalar(n, name, &text); err != nil {
			return err
		}
		want := "a time such as 500ms, 3s or 2m"
		for _, s := range special {
			spelt := map[time.Duration]string{Never: "never", WholeGrace: "grace"}[s]
			if text == spelt {
				*to = &s
				return nil
			}
			want += ", or " + spelt
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return r.problem(n, "%s: %q is not %s", name, text, want)
		}
		*to = &d
		return nil
	}}
}

// required reads a time into a field that is not optional.
func (r reader) required(name string, to *time.Duration) field {
	return field{name, func(n *yaml.Node) error {
		var d *time.Duration
		if err := r.span(name, &d).read(n); err != nil {
			return err
		}
		*to = *d
		return nil
	}}
}

func (r reader) number(n *yaml.Node, name string, to *int32, from int64) error {
	var text string
	if err := r.scalar(n, name, &text); err != nil {
		return err
	}
	i, err := strconv.ParseInt(text, 10, 32)
	if err != nil || i < from {
		return r.problem(n, "%s: %q is not a whole number from %d on", name, text, from)
	}
	*to = int32(i)
	return nil
}

func (r reader) count(name string, to **int32) field {
	return field{name, func(n *yaml.Node) error { *to = new(int32); return r.number(n, name, *to, 1) }}
}

func (r reader) factor(n *yaml.Node, to **float64) error {
	var text string
	if err := r.scalar(n, "backOff", &text); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || f < 0.0001 || f > 1000 {
		return r.problem(n, "backOff: %q is not a factor between 0.0001 and 1000", text)
	}
	*to = &f
	return nil
}

func (r reader) updates(n *yaml.Node, to **Updates) error {
	*to = new(Updates)
	return word(r, n, "updates", *to, UpdatesFinal, UpdatesKubelet, UpdatesAll)
}

func (r reader) exit(name string, to **Exit) field {
	return field{name, func(n *yaml.Node) error {
		e := new(Exit)
		*to = e
		return r.mapping(n, name,
			field{"code", func(n *yaml.Node) error {
				if err := r.number(n, "code", &e.Code, 0); err != nil || e.Code <= 255 {
					return err
				}
				return r.problem(n, "code: %d is more than 255", e.Code)
			}},
			r.text("reason", &e.Reason), r.text("message", &e.Message))
	}}
}

func (r reader) pull(n *yaml.Node, p *Pull) error {
	return r.mapping(n, "pull", r.text("reason", &p.Reason), r.text("message", &p.Message),
		field{"times", func(n *yaml.Node) error { return r.number(n, "times", &p.Times, 1) }})
}

func (r reader) unready(n *yaml.Node, u *Unready) error {
	if err := r.mapping(n, "unready", r.required("after", &u.After), r.required("for", &u.For), r.required("every", &u.Every)); err != nil {
		return err
	}
	switch {
	case u.For == 0:
		return r.problem(n, "unready: say for how long (for: 5s)")
	case u.Every != 0 && u.Every <= u.For:
		return r.problem(n, "unready: every %v is not more than for %v, so that it would never be ready", u.Every, u.For)
	}
	return nil
}

func (r reader) refusal(n *yaml.Node, to *Refusal) error {
	err := r.mapping(n, "reject", r.text("reason", &to.Reason), r.text("message", &to.Message))
	if err == nil && to.Reason == "" {
		err = r.problem(n, "reject: say the reason (reason: OutOfcpu)")
	}
	return err
}

func (r reader) eviction(n *yaml.Node, e *Eviction) error {
	return r.mapping(n, "evict", r.required("after", &e.After), r.text("reason", &e.Reason), r.text("message", &e.Message))
}

func (r reader) pressure(n *yaml.Node, to *[]corev1.NodeConditionType) error {
	n = resolve(n)
	if n.Kind != yaml.SequenceNode {
		return r.problem(n, "pressure: want a list: [MemoryPressure]")
	}
	out := []corev1.NodeConditionType{}
	for _, each := range n.Content {
		var condition corev1.NodeConditionType
		if err := word(r, each, "pressure", &condition, pressures...); err != nil {
			return err
		}
		out = append(out, condition)
	}
	*to = out
	return nil
}

// pressures are the conditions by which a node is short of something.
var pressures = []corev1.NodeConditionType{corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure}
