package kubestate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
)

// TestHistory has transcripts of requests and watches. The resourceVersion of an object is
// shown as which creation it is of and how often it was written: 1.0; that of a list
// as the number of writes: #2. In options, they are written like that, too.
func TestHistory(t *testing.T) {
	datadriven.Walk(t, "testdata/history", func(t *testing.T, path string) {
		s := &transcript{server: newTestServer(t), watches: map[string]*Watch{}, positions: map[string]uint64{}, versions: map[string]string{}}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.run(t, d) })
	})
}

type transcript struct {
	server    *Server
	state     State
	history   History
	watches   map[string]*Watch
	positions map[string]uint64
	// versions are resourceVersions by how they are shown.
	versions map[string]string
}

func (s *transcript) run(t *testing.T, d *datadriven.TestData) string {
	name := ""
	if len(d.CmdArgs) > 0 {
		name = d.CmdArgs[0].Key
	}
	var out []string
	switch d.Cmd {
	case "create", "patch", "delete":
		return s.write(t, d, name)
	case "begin":
		s.history = NewHistory(s.state)
		return ""
	case "compact":
		s.history = s.history.Compact(s.history.Position() - 1)
		return fmt.Sprintf("oldest #%d\n", s.history.Oldest())
	case "open":
		var problem *Response
		s.watches[name], problem = s.server.Open(s.request(t, "watch", strings.TrimSpace(d.Input)))
		if problem != nil {
			return fmt.Sprintf("%d %s: %s\n", problem.Code, problem.Status.Reason, problem.Status.Message)
		}
		var notices []Notice
		notices, s.positions[name] = s.watches[name].Start(s.state, s.history)
		out = s.lines(notices)
	case "next":
		var notices []Notice
		notices, s.positions[name] = s.watches[name].Next(s.history, s.positions[name])
		out = s.lines(notices)
	case "bookmark":
		if n, ok := s.watches[name].Bookmark(s.history); ok {
			out = s.lines([]Notice{n})
		}
	default:
		t.Fatalf("%s: no such command", d.Cmd)
	}
	if len(out) == 0 {
		return "nothing\n"
	}
	return strings.Join(out, "\n") + "\n"
}

func (s *transcript) request(t *testing.T, verb, options string) *Request {
	for shown, version := range s.versions {
		options = strings.ReplaceAll(options, "resourceVersion="+shown+"&", "resourceVersion="+version+"&")
	}
	query, err := url.ParseQuery(strings.TrimSuffix(options, "&"))
	if err != nil {
		t.Fatal(err)
	}
	return &Request{
		Verb: verb, Resource: schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "foos"},
		Namespace: "default", Options: query, Agent: "me",
	}
}

func (s *transcript) write(t *testing.T, d *datadriven.TestData, name string) string {
	r := s.request(t, d.Cmd, "")
	body := map[string]any{}
	if d.Input != "" {
		if err := json.Unmarshal([]byte(d.Input), &body); err != nil {
			t.Fatal(err)
		}
	}
	switch d.Cmd {
	case "create":
		body["apiVersion"], body["kind"] = "example.com/v1", "Foo"
		body["metadata"] = map[string]any{"name": name, "labels": body["labels"]}
		delete(body, "labels")
	case "patch":
		r.Patch, r.Name = "application/merge-patch+json", name
	default:
		r.Name = name
	}
	r.Body, _ = json.Marshal(body)
	var a *Response
	s.state, a = s.server.Do(s.state, r)
	s.history = s.history.Append(a.Events...)
	if a.Status != nil && a.Code >= 400 {
		return fmt.Sprintf("%d %s\n", a.Code, typeless(a.Status.Message))
	}
	var out strings.Builder
	for _, e := range a.Events {
		fmt.Fprintf(&out, "#%d: %s\n", s.history.Position(), s.shown(e.Object.Meta().GetResourceVersion()))
	}
	return out.String()
}

func (s *transcript) shown(version string) string {
	text := fmt.Sprintf("%s.%s", strings.TrimLeft(version[1:6], "0"), strings.TrimLeft(version[6:11], "0")+version[11:12])
	if n, ok := listPosition(version); ok {
		text = fmt.Sprintf("#%d", n)
	}
	s.versions[text] = version
	return text
}

func (s *transcript) lines(notices []Notice) []string {
	var out []string
	for _, n := range notices {
		switch n.Type {
		case watch.Bookmark:
			out = append(out, fmt.Sprintf("BOOKMARK %s initial %v", s.shown(n.Version), n.Initial))
		case watch.Error:
			words := strings.Fields(n.Status.Message)
			for i, w := range words {
				if bare := strings.Trim(w, "()"); len(bare) > 15 {
					words[i] = strings.Replace(w, bare, s.shown(bare), 1)
				}
			}
			out = append(out, fmt.Sprintf("ERROR %d %s: %s", n.Status.Code, n.Status.Reason, strings.Join(words, " ")))
		default:
			var o struct{ Spec any }
			_ = json.Unmarshal(n.Object.JSON(), &o)
			spec, _ := json.Marshal(o.Spec)
			m := n.Object.Meta()
			out = append(out, fmt.Sprintf("%s %s %s %v %s", n.Type, m.GetName(), s.shown(m.GetResourceVersion()), m.GetLabels(), spec))
		}
	}
	return out
}
