package kubestate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// equation holds which tokens of the real server are which of ours. It is the one
// thing that is carried from one comparison of a sequence to the next: the same uid
// and resourceVersion must be the same on both sides, and others be others.
type equation struct {
	ours, reals map[string]string // the real one's, and the other way round
	// fleeting tells that a new UID is given for nothing: the run is a dry one.
	fleeting bool
}

func newEquation() *equation { return &equation{ours: map[string]string{}, reals: map[string]string{}} }

// meet says that a real token and ours are in the same place.
func (e *equation) meet(real, our string) error {
	if e.ours[real] == our && e.reals[our] == real {
		return nil
	}
	if e.fleeting && e.ours[real] == "" {
		return nil
	}
	if e.ours[real] != "" || e.reals[our] != "" {
		return fmt.Errorf("%s and %s, but %s was %q and %s was %q", real, our, real, e.ours[real], our, e.reals[our])
	}
	e.ours[real], e.reals[our] = our, real
	return nil
}

var digits = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b\d{3,}\b`)

// rename makes a text of the real server ours.
func (e *equation) rename(text string) string {
	return digits.ReplaceAllStringFunc(text, func(token string) string { return cmp.Or(e.ours[token], token) })
}

func asJSON(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return strings.TrimSpace(string(text))
	}
	return v
}

// differ compares two values of JSON, and gives where they differ and how.
func (e *equation) differ(path string, real, our any) []string {
	real, our = e.plain(path, real), e.plain(path, our)
	switch r := real.(type) {
	case map[string]any:
		o, ok := our.(map[string]any)
		if !ok {
			break
		}
		return e.differMaps(path, r, o)
	case []any:
		o, ok := our.([]any)
		if !ok || len(r) != len(o) {
			break
		}
		var all []string
		for i := range r {
			all = append(all, e.differ(fmt.Sprintf("%s[%d]", path, i), r[i], o[i])...)
		}
		return all
	case string:
		o, ok := our.(string)
		if !ok {
			break
		}
		if isToken(path) && r != o {
			if err := e.meet(r, o); err != nil {
				return []string{fmt.Sprintf("%s: %v", path, err)}
			}
			return nil
		}
		if e.rename(r) == o || r == o {
			return nil
		}
	default:
		if reflect.DeepEqual(real, our) {
			return nil
		}
	}
	return []string{fmt.Sprintf("%s:\n    real %s\n    ours %s", path, show(real), show(our))}
}

func (e *equation) differMaps(path string, real, our map[string]any) []string {
	var keys []string
	for _, k := range slices.Collect(maps.Keys(real)) {
		if ours := e.rename(k); ours != k { // that of an owner, in managed fields
			real[ours] = real[k]
			delete(real, k)
			k = ours
		}
		keys = append(keys, k)
	}
	for k := range our {
		if _, both := real[k]; !both {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var all []string
	for _, k := range keys {
		r, inReal := real[k]
		o, inOurs := our[k]
		here := path + "." + k
		switch {
		case !inReal:
			all = append(all, fmt.Sprintf("%s: only ours, %s", here, show(o)))
		case !inOurs:
			all = append(all, fmt.Sprintf("%s: only real, %s", here, show(r)))
		default:
			all = append(all, e.differ(here, r, o)...)
		}
	}
	return all
}

func isToken(path string) bool {
	return strings.HasSuffix(path, "metadata.uid") || strings.HasSuffix(path, "metadata.resourceVersion") || strings.HasSuffix(path, "details.uid")
}

// plain leaves out of a value what is not compared: times, and the order of managed
// fields, which depends on them.
func (e *equation) plain(path string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		managed, ok := v["managedFields"].([]any)
		if !ok || !strings.HasSuffix(path, "metadata") {
			break
		}
		for _, m := range managed {
			delete(m.(map[string]any), "time")
		}
	case []any:
		if strings.HasSuffix(path, ".managedFields") {
			slices.SortFunc(v, func(a, b any) int { return strings.Compare(e.rename(show(a)), e.rename(show(b))) })
		}
	case string:
		switch {
		case strings.HasSuffix(path, "metadata.creationTimestamp"), strings.HasSuffix(path, "metadata.deletionTimestamp"):
			return "a time"
		case path == ".metadata.resourceVersion" && strings.HasPrefix(v, "list "):
			return "of a list"
		case strings.HasSuffix(path, "message") || strings.HasPrefix(path, "warning"):
			return inOurWords(v)
		}
		return v
	}
	return v
}

func show(v any) string {
	text, err := marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// list marks the version of a list, which is of no object: the real one may be that of the
// last write, and ours never is.
func list(body any) {
	o, _ := body.(map[string]any)
	meta, _ := o["metadata"].(map[string]any)
	_, isList := o["items"]
	if version, ok := meta["resourceVersion"].(string); ok && (isList || len(meta) == 1) {
		meta["resourceVersion"] = "list " + version
	}
}

// answers compares two.
func (e *equation) answers(real, our *answered) []string {
	var all []string
	if real.code != our.code {
		all = append(all, fmt.Sprintf("code: real %d, ours %d", real.code, our.code))
	}
	r, o := asJSON(inSomeOrder(real)), asJSON(inSomeOrder(our))
	list(r)
	list(o)
	all = append(all, e.differ("", r, o)...)
	var rw, ow []any
	for _, w := range real.warnings {
		rw = append(rw, w)
	}
	for _, w := range our.warnings {
		ow = append(ow, w)
	}
	return append(all, e.differ("warning", rw, ow)...)
}

// words are what of messages is not compared, with what is put in its place. The real server
// is of a later release than the libraries, and stands elsewhere.
var words = []struct {
	pattern *regexp.Regexp
	with    string
}{
	// Where an object is stored.
	{regexp.MustCompile(`Key: [^,]*,`), "Key: a key,"},
	// What of an applied object does not fit its schema is told up to a field that is left to chance.
	{regexp.MustCompile(`(?s)(failed to create typed patch object) .*`), "$1"},
	// The text of a whole object has what is not compared.
	{regexp.MustCompile(`Invalid value: "\{.*\}": `), "Invalid value: an object: "},
	// A rule's message had the type of the value before it.
	{regexp.MustCompile(`Invalid value: \\?"(object|array|string|integer|number|boolean)\\?": `), "Invalid value: "},
	{regexp.MustCompile(`Invalid value: [^:,]*: (fixed is immutable|grown does not shrink|value does not shrink|fixed stays)`), "Invalid value: $1"},
	// Versions that no answer has shown.
	{regexp.MustCompile(`ResourceVersion in (precondition|record|the precondition) \(\d+\)`), "ResourceVersion in $1 (a version)"},
	{regexp.MustCompile(`scheme\.go:\d+`), "scheme.go"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?( \+0000 UTC|Z|\+00:00)( m=\S+)?`), "a time"},
	// Which version is the oldest that is known.
	{regexp.MustCompile(`(too old resource version: .*) \(\d+\)`), "$1 (a version)"},
}

// inOurWords leaves out of a message what is not compared.
func inOurWords(message string) string {
	for _, w := range words {
		message = w.pattern.ReplaceAllString(message, w.with)
	}
	return message
}

// inSomeOrder gives the body of an answer with what is wrong in an order, which is not to
// depend on what is not compared.
func inSomeOrder(a *answered) []byte {
	s := &metav1.Status{}
	if a.code < 400 || json.Unmarshal(a.body, s) != nil {
		return a.body
	}
	if s.Details != nil {
		s.Message = inOurWords(s.Message)
		for i := range s.Details.Causes {
			s.Details.Causes[i].Message = inOurWords(s.Details.Causes[i].Message)
		}
	}
	if !inOrder(s, true) {
		return a.body
	}
	if s.Details != nil { // built-in kinds have their metadata validated twice
		s.Details.Causes = slices.Compact(s.Details.Causes)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return a.body
	}
	return text
}
