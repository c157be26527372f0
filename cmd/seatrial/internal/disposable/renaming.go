package disposable

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb/plan"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// renaming calls the namespace of a slot what the seed calls its own, so that runs in several slots
// can be compared. The zero value changes nothing.
type renaming struct{ seed, slot string }

// newRenaming is for the slot of a number, from 2 on. The name is one that does not come up by chance, as
// that of the second of several pods would: wherever it stands, it is meant.
func newRenaming(seed string, number string) renaming {
	return renaming{seed, seed + "-seatrial-" + number}
}

// in is a write of the slot as if it were in the seed's namespace.
func (r renaming) in(e history.Event) history.Event {
	if r.slot == "" {
		return e
	}
	e.Key = r.key(e.Key)
	e.Object, e.Previous = r.object(e.Object), r.object(e.Previous)
	return e
}

func (r renaming) key(key history.Key) history.Key {
	key.Namespace, key.Name = r.text(key.Namespace), r.text(key.Name)
	return key
}

func (r renaming) text(s string) string {
	if r.slot == "" {
		return s
	}
	return strings.ReplaceAll(s, r.slot, r.seed)
}

func (r renaming) object(o history.Object) history.Object {
	if o == nil || r.slot == "" {
		return o
	}
	renamed, _ := mapped(map[string]any(o), func(_, s string) string { return r.text(s) }).(map[string]any)
	return renamed
}

// mapped is a copy of a value with its texts, and the keys of its maps, as f has them; it is told under which
// key of a map a text is.
func mapped(value any, f func(under, text string) string) any {
	var walk func(under string, value any) any
	walk = func(under string, value any) any {
		switch v := value.(type) {
		case string:
			return f(under, v)
		case map[string]any:
			m := make(map[string]any, len(v))
			for key, child := range v {
				m[f("", key)] = walk(key, child)
			}
			return m
		case []any:
			l := make([]any, len(v))
			for i, child := range v {
				l[i] = walk("", child)
			}
			return l
		}
		return value
	}
	return walk("", value)
}

// translator is the way of what seatrial itself does in a slot: it is said of the seed's namespace, and
// done in the slot's.
type translator struct {
	renaming
	next http.RoundTripper
}

func (t translator) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.slot == "" || req.Header.Get(admin.HeaderActor) == plan.Controller {
		return t.next.RoundTrip(req) // the operator was told where it is
	}
	req = req.Clone(req.Context())
	path := strings.Split(req.URL.Path, "/")
	for i := range path[1:] {
		if path[i] == namespaces && path[i+1] == t.seed {
			path[i+1] = t.slot
		}
	}
	req.URL.Path, req.URL.RawPath = strings.Join(path, "/"), ""
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		_ = req.Body.Close() // it was read
		if err != nil {
			return nil, err
		}
		body = t.out(body)
		req.Body, req.ContentLength, req.GetBody = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	}
	response, err := t.next.RoundTrip(req)
	if err != nil || !strings.Contains(response.Header.Get("Content-Type"), "json") {
		return response, err
	}
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	body = []byte(t.text(string(body)))
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Del("Content-Length")
	return response, err
}

// out is what is sent with the slot's namespace wherever the seed's is meant: in fields that are called
// so, in names of services, and in the name of the Namespace.
func (t translator) out(body []byte) []byte {
	var o history.Object
	if json.Unmarshal(body, &o) != nil {
		return body // a patch that is a list has no namespaces
	}
	renamed, _ := mapped(map[string]any(o), func(under, s string) string {
		if under == "namespace" && s == t.seed {
			return t.slot
		}
		return strings.ReplaceAll(s, "."+t.seed+".svc", "."+t.slot+".svc")
	}).(map[string]any)
	if metadata, _ := renamed["metadata"].(map[string]any); renamed["kind"] == "Namespace" && metadata["name"] == t.seed {
		metadata["name"] = t.slot
	}
	text, err := json.Marshal(renamed)
	if err != nil {
		return body
	}
	return text
}
