package apiproxy_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/seatrial/seatrial/apiproxy"
)

// fakeServer is an API server as far as the engine can tell: objects with
// versions, lists as of any of them, watches, streaming lists.
type fakeServer struct {
	mu       sync.Mutex
	changed  chan struct{} // closed when something happens
	revision int64
	events   []fakeEvent
	ended    int // how often all watches were ended
	marks    int // how often all watches were given a bookmark
	requests []string
	// keep holds writes after they are done, until it is closed.
	keep chan struct{}
}

type fakeEvent struct {
	Type     string
	Resource string
	Object   fakeObject
}

type fakeObject struct {
	Kind       string       `json:"kind,omitempty"`
	APIVersion string       `json:"apiVersion,omitempty"`
	Metadata   fakeMetadata `json:"metadata"`
}

type fakeMetadata struct {
	Name            string            `json:"name,omitempty"`
	GenerateName    string            `json:"generateName,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             string            `json:"uid,omitempty"`
	ResourceVersion string            `json:"resourceVersion"`
	Annotations     map[string]string `json:"annotations,omitempty"`
}

func newFake() *fakeServer { return &fakeServer{revision: 10, changed: make(chan struct{})} }

func (f *fakeServer) wake() { close(f.changed); f.changed = make(chan struct{}) }

// do is a write by somebody else: create, update, delete of namespace/name.
func (f *fakeServer) do(verb, resource, key string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	namespace, name, _ := strings.Cut(key, "/")
	return f.write(verb, resource, namespace, name)
}

func (f *fakeServer) write(verb, resource, namespace, name string) int64 {
	f.revision++
	types := map[string]string{"create": "ADDED", "update": "MODIFIED", "patch": "MODIFIED", "delete": "DELETED"}
	uid := "u" + strconv.FormatInt(f.revision, 10)
	if old := f.state(resource, f.revision-1)[namespace+"/"+name]; old.Metadata.UID != "" {
		uid = old.Metadata.UID
	}
	f.events = append(f.events, fakeEvent{types[verb], resource, fakeObject{
		Metadata: fakeMetadata{Name: name, Namespace: namespace, UID: uid, ResourceVersion: strconv.FormatInt(f.revision, 10)},
	}})
	f.wake()
	return f.revision
}

func (f *fakeServer) state(resource string, at int64) map[string]fakeObject {
	objects := map[string]fakeObject{}
	for _, e := range f.events {
		key := e.Object.Metadata.Namespace + "/" + e.Object.Metadata.Name
		switch v, _ := strconv.ParseInt(e.Object.Metadata.ResourceVersion, 10, 64); {
		case e.Resource != resource || v > at:
		case e.Type == "DELETED":
			delete(objects, key)
		default:
			objects[key] = e.Object
		}
	}
	return objects
}

func (f *fakeServer) poke(counter *int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*counter++
	f.wake()
}

func (f *fakeServer) note(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, text)
}

// saw returns what has come since it was asked last.
func (f *fakeServer) saw() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	saw := f.requests
	f.requests = nil
	return saw
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	text := req.Method + " " + req.URL.RequestURI()
	for _, name := range []string{"Seatrial-Actor", "Accept", "Authorization", "Impersonate-User", "Impersonate-Group"} {
		if value := req.Header.Values(name); len(value) > 0 {
			text += fmt.Sprintf(" %s=%s", strings.TrimPrefix(name, "Seatrial-"), strings.Join(value, "+"))
		}
	}
	if req.TLS != nil && len(req.TLS.PeerCertificates) > 0 {
		text += " certificate"
	}
	f.note(text)
	r, known := apiproxy.Classify(req.Method, req.URL)
	switch {
	case req.Header.Get("Upgrade") != "":
		echo(w)
	case !known:
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "ok")
	case r.Verb == "watch":
		f.watch(w, req, r)
	case r.Verb == "list":
		f.list(w, req, r)
	case r.Verb == "get":
		f.get(w, r)
	default:
		f.change(w, req, r)
	}
}

// echo speaks a protocol of its own: it says what it hears.
func echo(w http.ResponseWriter) {
	conn, stream, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	_, _ = io.Copy(conn, stream)
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

func refuse(w http.ResponseWriter, code int, reason string) {
	reply(w, code, map[string]any{"kind": "Status", "reason": reason, "code": code})
}

func (f *fakeServer) sorted(resource, namespace string, at int64) []fakeObject {
	objects := []fakeObject{}
	for _, o := range f.state(resource, at) {
		if namespace == "" || o.Metadata.Namespace == namespace {
			objects = append(objects, o)
		}
	}
	slices.SortFunc(objects, func(a, b fakeObject) int {
		return cmp.Compare(a.Metadata.Namespace+"/"+a.Metadata.Name, b.Metadata.Namespace+"/"+b.Metadata.Name)
	})
	return objects
}

func (f *fakeServer) list(w http.ResponseWriter, req *http.Request, r apiproxy.Request) {
	f.mu.Lock()
	query := req.URL.Query()
	at := f.revision
	if query.Get("resourceVersionMatch") == "Exact" {
		at, _ = strconv.ParseInt(query.Get("resourceVersion"), 10, 64)
	}
	objects := f.sorted(r.Resource, r.Namespace, at)
	f.mu.Unlock()
	if name, is := strings.CutPrefix(query.Get("fieldSelector"), "metadata.name="); is {
		objects = slices.DeleteFunc(objects, func(o fakeObject) bool { return o.Metadata.Name != name })
	}
	reply(w, http.StatusOK, map[string]any{
		"kind": "PodList", "apiVersion": "v1", "items": objects,
		"metadata": map[string]string{"resourceVersion": strconv.FormatInt(at, 10)},
	})
}

func (f *fakeServer) get(w http.ResponseWriter, r apiproxy.Request) {
	f.mu.Lock()
	o, is := f.state(r.Resource, f.revision)[r.Namespace+"/"+r.Name]
	f.mu.Unlock()
	if !is {
		refuse(w, http.StatusNotFound, "NotFound")
		return
	}
	reply(w, http.StatusOK, o)
}

func (f *fakeServer) change(w http.ResponseWriter, req *http.Request, r apiproxy.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	var sent fakeObject
	_ = json.Unmarshal(body, &sent)
	f.mu.Lock()
	if r.Name == "" {
		r.Name = sent.Metadata.Name
	}
	if r.Name == "" && sent.Metadata.GenerateName != "" {
		r.Name = sent.Metadata.GenerateName + strconv.FormatInt(f.revision+1, 10)
	}
	old, exists := f.state(r.Resource, f.revision)[r.Namespace+"/"+r.Name]
	code, reason := http.StatusOK, ""
	switch given := sent.Metadata.ResourceVersion; {
	case r.Verb == "create" && exists:
		code, reason = http.StatusConflict, "AlreadyExists"
	case r.Verb != "create" && !exists:
		code, reason = http.StatusNotFound, "NotFound"
	case r.Verb == "update" && given != "" && given != old.Metadata.ResourceVersion:
		code, reason = http.StatusConflict, "Conflict"
	case r.Verb == "create":
		code = http.StatusCreated
	}
	if reason == "" {
		f.write(r.Verb, r.Resource, r.Namespace, r.Name)
	}
	last := fakeObject{}
	if len(f.events) > 0 {
		last = f.events[len(f.events)-1].Object
	}
	keep := f.keep
	f.mu.Unlock()
	if keep != nil {
		<-keep
	}
	switch {
	case reason != "":
		refuse(w, code, reason)
	case r.Verb == "delete":
		reply(w, code, map[string]any{"kind": "Status", "status": "Success", "details": map[string]string{"name": r.Name, "uid": last.Metadata.UID}})
	default:
		reply(w, code, last)
	}
}

func (f *fakeServer) watch(w http.ResponseWriter, req *http.Request, r apiproxy.Request) {
	query := req.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w).Flush
	_ = flush()
	send := func(kind string, o fakeObject) {
		o.Kind, o.APIVersion = "Pod", "v1"
		_ = json.NewEncoder(w).Encode(map[string]any{"type": kind, "object": o})
		_ = flush()
	}
	f.mu.Lock()
	from, _ := strconv.ParseInt(query.Get("resourceVersion"), 10, 64)
	if query.Get("sendInitialEvents") == "true" {
		from = f.revision
		objects := f.sorted(r.Resource, r.Namespace, from)
		f.mu.Unlock()
		for _, o := range objects {
			send("ADDED", o)
		}
		send("BOOKMARK", fakeObject{Metadata: fakeMetadata{
			ResourceVersion: strconv.FormatInt(from, 10), Annotations: map[string]string{"k8s.io/initial-events-end": "true"},
		}})
		f.mu.Lock()
	}
	marks, ended := f.marks, f.ended
	for {
		var due []fakeEvent
		for _, e := range f.events {
			v, _ := strconv.ParseInt(e.Object.Metadata.ResourceVersion, 10, 64)
			if e.Resource == r.Resource && v > from && (r.Namespace == "" || e.Object.Metadata.Namespace == r.Namespace) {
				due = append(due, e)
			}
		}
		from = max(from, f.revision)
		if marks != f.marks {
			marks = f.marks
			due = append(due, fakeEvent{Type: "BOOKMARK", Object: fakeObject{Metadata: fakeMetadata{ResourceVersion: strconv.FormatInt(from, 10)}}})
		}
		changed, over := f.changed, ended != f.ended
		f.mu.Unlock()
		for _, e := range due {
			send(e.Type, e.Object)
		}
		if over {
			return
		}
		select {
		case <-changed:
		case <-req.Context().Done():
			return
		}
		f.mu.Lock()
	}
}

// direct is a transport without a network, for testing/synctest: what is written
// to the response is read from its body.
type direct struct{ http.Handler }

func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		req = req.Clone(req.Context())
		req.Body = http.NoBody
	}
	r, w := io.Pipe()
	p := &piped{header: http.Header{}, body: w, code: make(chan int, 1)}
	go func() {
		d.ServeHTTP(p, req)
		p.WriteHeader(http.StatusOK)
		w.Close()
	}()
	select {
	case code := <-p.code:
		return &http.Response{StatusCode: code, Header: p.header, Body: r, ContentLength: -1, Request: req}, nil
	case <-req.Context().Done():
		_ = r.Close()
		return nil, req.Context().Err()
	}
}

type piped struct {
	header http.Header
	body   io.Writer
	once   sync.Once
	code   chan int
}

func (p *piped) Header() http.Header  { return p.header }
func (p *piped) WriteHeader(code int) { p.once.Do(func() { p.code <- code }) }
func (p *piped) Flush()               {}
func (p *piped) Write(b []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	return p.body.Write(b)
}
