package kubestate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/endpoints/request"
)

// marker stands for what makes the names of one sequence different from those of others on
// the real server, which has them all.
const marker = "qxxxxxxq"

// namespace is that of everything that is in one.
const namespace = "ns-" + marker

// seen are the tokens that one side has given away, by what requests call them. A request
// says ${uid:widgets/w-a}, and each side puts in its own.
type seen struct {
	// values are by kind of token and object; the newest is the last.
	values map[string][]string
	// objects are as the last answer had them, by kind and name.
	objects map[string]map[string]any
}

func newSeen() seen {
	return seen{values: map[string][]string{}, objects: map[string]map[string]any{}}
}

// symbol is one, maybe of an object whose name is a symbol itself.
var symbol = regexp.MustCompile(`\$\{(\w+):((?:[^{}]|\$\{\w+:\w*\})*)\}`)

// unknown is what a token is if nothing was seen. A request may create what has the name, so
// that it is the sequence's own.
var unknown = map[string]string{"uid": "00000000-0000-4000-8000-00000000dead", "rv": "1", "old": "1", "list": "1", "name": marker + "-nobody"}

// resolve replaces what a text calls tokens: uid, rv for the last resourceVersion, old for
// the first, list for that of the last list, name for a name that was generated.
func (s *seen) resolve(text string) string {
	return symbol.ReplaceAllStringFunc(text, func(m string) string {
		p := symbol.FindStringSubmatch(m)
		kind, of := p[1], p[2]
		switch kind {
		case "old":
			if v := s.values["rv "+of]; len(v) > 0 {
				return v[0]
			}
		default:
			if v := s.values[kind+" "+of]; len(v) > 0 {
				return v[len(v)-1]
			}
		}
		return unknown[kind]
	})
}

func (s *seen) note(kind, of, value string) {
	key := kind + " " + of
	if value == "" || kind != "uid" && slices.Contains(s.values[key], value) {
		return
	}
	s.values[key] = append(s.values[key], value)
}

// observe notes the tokens of an answer.
func (s *seen) observe(a *ask, body any) {
	o, _ := body.(map[string]any)
	meta, _ := o["metadata"].(map[string]any)
	version, _ := meta["resourceVersion"].(string)
	if _, isList := o["items"]; isList {
		s.note("list", "", version)
		return
	}
	name, _ := meta["name"].(string)
	if name == "" || a.dry() || o["kind"] == "Status" {
		return
	}
	of := a.of()
	if a.generated != "" && a.Verb == "create" {
		of = a.kind.plural() + "/${name:" + a.generated + "}"
		s.note("name", a.generated, name)
	}
	uid, _ := meta["uid"].(string)
	s.note("uid", of, uid)
	s.note("rv", of, version)
	if o["kind"] == a.kind.kind {
		s.objects[of] = o
	}
}

// resolved is the request as one side gets it.
func (s *seen) resolved(a *ask) *Request {
	r := &a.Request
	out := *r
	out.Name = s.resolve(r.Name)
	out.Body = []byte(s.resolve(string(r.Body)))
	if a.onto != "" {
		if overlay, ok := asJSON(out.Body).(map[string]any); ok {
			out.Body = []byte(show(merged(s.objects[a.onto], overlay)))
		}
	}
	out.Options = map[string][]string{}
	for k, values := range r.Options {
		for _, v := range values {
			out.Options.Add(k, s.resolve(v))
		}
	}
	return &out
}

// merged is an object with the fields of another in their places, and without those that are
// null there.
func merged(into, from map[string]any) map[string]any {
	out := maps.Clone(into)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range from {
		inner, ok := v.(map[string]any)
		old, both := out[k].(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case ok && both:
			out[k] = merged(old, inner)
		default:
			out[k] = v
		}
	}
	return out
}

// answered is what one side says.
type answered struct {
	code     int
	body     []byte
	warnings []string
}

// plane is a real API server.
type plane struct {
	client *http.Client
	url    string
}

// do sends a request for a sequence, whose tag is in the place of the marker.
func (p *plane) do(ctx context.Context, tag string, r *Request) (*http.Response, error) {
	tagged := func(s string) string { return strings.ReplaceAll(s, marker, tag) }
	target := p.url + tagged(r.path())
	if query := r.Options.Encode(); query != "" {
		target += "?" + tagged(query)
	}
	var body io.Reader
	if len(r.Body) > 0 {
		body = bytes.NewReader([]byte(tagged(string(r.Body))))
	}
	h, err := http.NewRequestWithContext(ctx, method[r.Verb], target, body)
	if err != nil {
		return nil, err
	}
	// The very headers that the handlers are given here.
	h.Header = r.http(request.NewContext()).Header
	return p.client.Do(h)
}

func (p *plane) answer(ctx context.Context, tag string, r *Request) (*answered, error) {
	a, err := p.do(ctx, tag, r)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Verb, r.path(), err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Verb, r.path(), err)
	}
	back := func(s string) string {
		if tag == "" {
			return s
		}
		return strings.ReplaceAll(s, tag, marker)
	}
	out := &answered{code: a.StatusCode, body: []byte(back(string(text)))}
	for _, w := range a.Header.Values("Warning") {
		out.warnings = append(out.warnings, back(w))
	}
	return out, nil
}
