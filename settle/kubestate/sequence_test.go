package kubestate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"
)

// steps is how many requests a sequence has.
const steps = 30

// sequence is one of random requests, made to both sides.
type sequence struct {
	number  int
	tag     string
	g       *generator
	server  *Server
	plane   *plane
	state   State
	history History
	// ours and theirs are the tokens that each side has given.
	ours, theirs seen
	equation     *equation
	// names are those that the real server has generated, with ours.
	names    []string
	open     []*following
	requests []string
	cells    map[string]int
	// wrote is what the last request has written.
	wrote []Event
}

// difference is a request that was answered differently.
type difference struct {
	sequence  int
	signature string
	text      string
}

func (d *difference) Error() string { return d.text }

func newSequence(number int, c *campaign) *sequence {
	s := &sequence{
		number: number, tag: fmt.Sprintf("q%06dq", number), server: c.server, plane: c.plane, equation: newEquation(), cells: map[string]int{},
		g: &generator{Rand: rand.New(rand.NewPCG(uint64(number), 21)), kinds: c.kinds},
	}
	var made *Response
	s.state, made = s.server.Do(s.state, namespaceRequest())
	s.history = s.history.Append(made.Events...)
	s.ours, s.theirs = newSeen(), newSeen()
	s.g.there = s.there
	return s
}

// namespaceRequest makes the namespace of a sequence.
func namespaceRequest() *Request {
	body := fmt.Sprintf(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%q}}`, namespace)
	r := &Request{Verb: "create", Body: []byte(body), Options: map[string][]string{}}
	r.Resource.Version, r.Resource.Resource = "v1", "namespaces"
	return r
}

// errKnown ends a sequence at a difference that has a reason.
var errKnown = errors.New("a known difference")

// run makes all requests, until one is answered differently.
func (s *sequence) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of watches
	if s.g.chance(50) {
		if err := s.step(ctx, s.g.plain()); err != nil {
			return err
		}
	}
	for range steps {
		if err := s.step(ctx, s.g.next()); err != nil {
			return err
		}
	}
	for _, k := range s.g.kinds {
		a := &ask{kind: k, Request: Request{Verb: "list", Resource: k.GroupVersionResource, Options: map[string][]string{}}}
		if k.cluster {
			a.Options.Set("labelSelector", "sequence="+marker)
		} else {
			a.Namespace = namespace
		}
		if err := s.step(ctx, a); err != nil {
			return err
		}
	}
	return s.end(ctx)
}

func (s *sequence) step(ctx context.Context, a *ask) error {
	s.requests = append(s.requests, a.String())
	our, real := s.ours.resolved(a), s.theirs.resolved(a)
	if a.Verb == "watch" {
		return s.follow(ctx, a, our, real)
	}
	if s.cached(a, our) {
		if err := s.current(ctx, real); err != nil {
			return err
		}
	}
	after, r := s.server.Do(s.state, our)
	answer, err := s.plane.answer(ctx, s.tag, real)
	if err != nil {
		return err
	}
	s.state, s.history, s.wrote = after, s.history.Append(r.Events...), r.Events
	s.cells[verbOf(a)+": "+outcome(a, r)]++
	s.requests[len(s.requests)-1] += fmt.Sprintf("\n      %d %s", r.Code, outcome(a, r))
	shown := asJSON(answer.body)
	now, _ := shown.(map[string]any)
	aged := onlyTimes(s.theirs.objects[a.of()], now)
	s.theirs.observe(a, shown)
	s.ours.observe(a, asJSON(r.Body))
	if a.Verb == "create" {
		s.generated(answer.body, r.Body)
	}
	return s.compare(&exchange{ask: a, equation: s.equation, real: answer, events: r.Events, aged: aged}, r)
}

func (s *sequence) compare(x *exchange, r *Response) error {
	a, answer := x.ask, x.real
	answer.body = []byte(s.renamed(string(answer.body)))
	parsed, _ := utilnet.ParseWarningHeaders(answer.warnings)
	answer.warnings = nil
	for _, w := range parsed {
		answer.warnings = append(answer.warnings, w.Text)
	}
	x.ours = &answered{code: r.Code, body: r.Body, warnings: r.Warnings}
	s.equation.fleeting = a.dry()
	defer func() { s.equation.fleeting = false }()
	all := s.equation.answers(answer, x.ours)
	if len(all) == 0 {
		return nil
	}
	for _, why := range reasons {
		if why.explains(x) {
			s.cells["known difference: "+why.name]++
			return errKnown
		}
	}
	return s.difference(a, all)
}

func (s *sequence) difference(a *ask, all []string) error {
	if len(all) == 0 {
		return nil
	}
	first, _, _ := strings.Cut(all[0], ":")
	for _, d := range all { // what is said tells more than the code
		if strings.HasPrefix(d, ".message") {
			_, first, _ = strings.Cut(d, "\n")
		}
	}
	return &difference{
		sequence: s.number, signature: fmt.Sprintf("%s %s: %s", verbOf(a), a.kind.kind, digits.ReplaceAllString(first, "#")),
		text: fmt.Sprintf("sequence %d:\n  %s\n  %s", s.number, strings.Join(s.requests, "\n  "), strings.Join(all, "\n  ")),
	}
}

// generated notes which name was generated on each side, be it of an object or in an error.
func (s *sequence) generated(real, our []byte) {
	name := func(text []byte) string {
		o, _ := asJSON(text).(map[string]any)
		for _, in := range []string{"metadata", "details"} {
			m, _ := o[in].(map[string]any)
			if n, _ := m["name"].(string); n != "" {
				return n
			}
		}
		return ""
	}
	if r, o := name(real), name(our); r != o && len(r) == len(o) {
		s.names = append(s.names, r, o)
	}
}

func (s *sequence) renamed(text string) string { return strings.NewReplacer(s.names...).Replace(text) }

// following is a watch on both sides.
type following struct {
	*ask
	watch    *Watch
	notices  []Notice
	position uint64
	frames   []any
	err      error
	done     chan struct{}
}

// cached tells whether the cache of the real server must not be behind. A write is first made
// to what that has, and compared with it, then to what is stored: one sees what was there before
// the last write, what is gone, and what is not as it is stored.
func (s *sequence) cached(a *ask, our *Request) bool {
	key := our.key(our.Name)
	o := s.state.Get(key)
	switch {
	case o == nil:
		return len(s.ours.values["rv "+a.of()]) > 0
	case o.raw != nil:
		return true
	}
	return slices.ContainsFunc(s.wrote, func(e Event) bool { return e.Object.Key() == key })
}

// current waits until the cache of the real server has all that was written to what a request
// is for: it has once a list was served from it.
func (s *sequence) current(ctx context.Context, of *Request) error {
	r := &Request{Verb: "list", Resource: of.Resource, Namespace: of.Namespace, Options: map[string][]string{"fieldSelector": {"metadata.name=zz"}}}
	_, err := s.plane.answer(ctx, s.tag, r)
	return err
}

// follow opens a watch.
func (s *sequence) follow(ctx context.Context, a *ask, our, real *Request) error {
	if a.kind.kind == "ConfigMap" && real.Options.Get("resourceVersion") == "1" {
		// The server has had these since it started, and forgot nothing.
		real.Options.Set("resourceVersion", "0")
		our.Options.Set("resourceVersion", "0")
	}
	if err := s.current(ctx, real); err != nil {
		return err
	}
	query := maps.Clone(real.Options)
	query.Set("watch", "true")
	real.Options = query
	response, err := s.plane.do(ctx, s.tag, real)
	if err != nil {
		return err
	}
	w, problem := s.server.Open(our)
	if response.StatusCode != http.StatusOK || problem != nil {
		defer response.Body.Close()
		answer := &answered{code: response.StatusCode}
		if response.StatusCode != http.StatusOK {
			text, err := io.ReadAll(response.Body)
			if err != nil {
				return err
			}
			answer.body = []byte(strings.ReplaceAll(string(text), s.tag, marker))
		}
		if problem == nil {
			problem = &Response{Code: http.StatusOK}
		} else {
			s.cells["watch: "+string(problem.Status.Reason)]++
		}
		return s.compare(&exchange{ask: a, equation: s.equation, real: answer}, problem)
	}
	f := &following{ask: a, watch: w, done: make(chan struct{})}
	f.notices, f.position = w.Start(s.state, s.history)
	s.open = append(s.open, f)
	go f.read(response.Body, s.tag)
	return nil
}

// sentinel is the annotation of an object that tells whoever watches that nothing more
// comes.
const sentinel = "sentinel"

// read takes frames until the sentinel or an error.
func (f *following) read(body io.ReadCloser, tag string) {
	defer close(f.done)
	defer body.Close()
	d := json.NewDecoder(body)
	for {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			f.err = err
			return
		}
		frame, _ := asJSON([]byte(strings.ReplaceAll(string(raw), tag, marker))).(map[string]any)
		o, _ := frame["object"].(map[string]any)
		meta, _ := o["metadata"].(map[string]any)
		annotations, _ := meta["annotations"].(map[string]any)
		if annotations[sentinel] != nil {
			return
		}
		if frame["type"] == string(watch.Bookmark) {
			if annotations["k8s.io/initial-events-end"] == nil {
				continue // the time had come
			}
			frame["object"] = annotations
		}
		f.frames = append(f.frames, frame)
		if frame["type"] == string(watch.Error) {
			return
		}
	}
}

// end removes what other sequences would see, and what hides a sentinel; then it sends
// those and compares what was watched.
func (s *sequence) end(ctx context.Context) error {
	for o := range s.state.Objects() {
		for _, k := range s.g.kinds {
			prefix := (&Request{Resource: k.GroupVersionResource}).key("")
			if !strings.HasPrefix(o.Key(), prefix) || !k.cluster && !s.named(k) {
				continue
			}
			if err := s.remove(ctx, k, o.Meta().GetName()); err != nil {
				return err
			}
		}
	}
	for _, f := range s.open {
		f.notices = append(f.notices, s.next(f)...)
	}
	for _, k := range s.g.kinds {
		if !slices.ContainsFunc(s.open, func(f *following) bool { return f.kind == k }) {
			continue
		}
		names := []string{"zz"}
		if s.named(k) {
			names = append(names, k.names[0])
		}
		if k.cluster {
			names[0] = marker + "-zz"
		}
		for _, name := range names {
			if err := s.signal(ctx, k, name); err != nil {
				return err
			}
		}
	}
	for _, f := range s.open {
		if err := s.watched(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (s *sequence) next(f *following) []Notice {
	if n := len(f.notices); n > 0 && f.notices[n-1].Type == watch.Error {
		return nil
	}
	notices, _ := f.watch.Next(s.history, f.position)
	return notices
}

// named tells whether an object of a kind is watched by its name.
func (s *sequence) named(k *specimen) bool {
	return slices.ContainsFunc(s.open, func(f *following) bool {
		return f.kind == k && f.Options.Get("fieldSelector") == "metadata.name="+k.names[0]
	})
}

// symbolOf is what requests call a name.
func (s *sequence) symbolOf(name string) string {
	for i := 1; i <= s.g.generated; i++ {
		if of := fmt.Sprintf("${name:%d}", i); s.ours.resolve(of) == name {
			return of
		}
	}
	return name
}

// there are the names of the objects that there are of a kind.
func (s *sequence) there(k *specimen) []string {
	in := &Request{Resource: k.GroupVersionResource}
	if !k.cluster {
		in.Namespace = namespace
	}
	var names []string
	for o := range s.state.Under(in.key("")) {
		names = append(names, s.symbolOf(o.Meta().GetName()))
	}
	return names
}

// remove deletes an object on both sides. What our side has generated has another name on
// the real one.
func (s *sequence) remove(ctx context.Context, k *specimen, name string) error {
	name = s.symbolOf(name)
	for _, verb := range []string{"patch", "delete"} {
		a := &ask{kind: k, Request: Request{Verb: verb, Resource: k.GroupVersionResource, Name: name, Options: map[string][]string{}, Agent: "alpha/1"}}
		if !k.cluster {
			a.Namespace = namespace
		}
		if verb == "patch" {
			a.Patch, a.Body = mergePatch, []byte(`{"metadata":{"finalizers":null}}`)
		} else {
			a.Options.Set("propagationPolicy", "Background")
		}
		if err := s.step(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// signal makes and deletes objects that everybody sees who watches a kind, on the real side.
func (s *sequence) signal(ctx context.Context, k *specimen, name string) error {
	for _, tier := range []string{"1", ""} {
		labels := map[string]string{"sequence": marker, "app": "x", "tier": tier}
		if tier == "" {
			delete(labels, "tier")
		}
		body := object("apiVersion", k.GroupVersion().String(), "kind", k.kind, "metadata", object("name", name, "labels", labels, "annotations", object(sentinel, "yes")))
		if k.kind == "Widget" {
			body["spec"] = object("size", 1, "mode", "B")
		}
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		r := &Request{Verb: "create", Resource: k.GroupVersionResource, Options: map[string][]string{}, Body: text}
		if !k.cluster {
			r.Namespace = namespace
		}
		created, err := s.plane.answer(ctx, s.tag, r)
		if err != nil {
			return err
		}
		if created.code != http.StatusCreated {
			return fmt.Errorf("sequence %d: create a sentinel: %s", s.number, created.body)
		}
		r.Verb, r.Name, r.Body = "delete", name, nil
		if _, err := s.plane.answer(ctx, s.tag, r); err != nil {
			return err
		}
	}
	return nil
}

// patience is how long a watch may take to deliver what was written long ago.
const patience = 20 * time.Second

var errSilent = errors.New("the sentinel does not come")

func (s *sequence) watched(ctx context.Context, f *following) error {
	timeout, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-f.done:
	case <-timeout.Done():
		return fmt.Errorf("sequence %d: %s: %w", s.number, f.ask, errSilent)
	}
	if f.err != nil {
		return fmt.Errorf("sequence %d: %s: %w", s.number, f.ask, f.err)
	}
	var ours []any
	for _, n := range f.notices {
		ours = append(ours, s.frame(f, n))
	}
	s.requests = append(s.requests, f.String())
	real := asJSON([]byte(s.renamed(show(f.frames))))
	if f.frames == nil {
		real = []any(nil)
	}
	all := s.equation.differ("watch", real, ours)
	return s.difference(f.ask, all)
}

// frame is what a notice is on the wire.
func (s *sequence) frame(f *following, n Notice) any {
	frame := object("type", string(n.Type))
	var cell string
	switch n.Type {
	case watch.Error:
		frame["object"] = asJSON([]byte(show(n.Status)))
		cell = string(n.Status.Reason)
	case watch.Bookmark:
		frame["object"] = object("k8s.io/initial-events-end", "true")
		cell = "initial events end"
	default:
		o := asJSON(n.Object.JSON()).(map[string]any)
		o["kind"], o["apiVersion"] = f.kind.kind, f.kind.GroupVersion().String()
		frame["object"] = o
		cell = s.movement(n)
	}
	s.cells["watch: "+cell]++
	return frame
}

// movement tells whether a notice is of what its object is or of what is selected.
func (s *sequence) movement(n Notice) string {
	for e := range s.history.Since(0) {
		if e.Object.Meta().GetResourceVersion() != n.Object.Meta().GetResourceVersion() {
			continue
		}
		switch {
		case n.Type == watch.Added && e.Type == watch.Modified && e.Object == n.Object:
			return "comes to match" // or was there at first
		case n.Type == watch.Deleted && e.Type != watch.Deleted:
			return "ceases to match"
		}
	}
	return string(n.Type)
}
