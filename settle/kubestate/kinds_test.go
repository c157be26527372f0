package kubestate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/controlplane"
)

// kindNamed is the built-in kind with a plural, nil if there is none.
func kindNamed(plural string) *builtin {
	if i := slices.IndexFunc(builtins, func(k builtin) bool { return k.plural == plural }); i >= 0 {
		return &builtins[i]
	}
	return nil
}

// kindRequest is a request of a transcript of built-in kinds, where objects need not say
// what they are.
func kindRequest(t *testing.T, d *datadriven.TestData) *Request {
	t.Helper()
	r := parse(t, d)
	k := kindNamed(r.Resource.Resource)
	var body map[string]any
	whole := r.Verb == "create" || r.Verb == "update" || r.Patch == "application/apply-patch+yaml"
	if k == nil || !whole || json.Unmarshal(r.Body, &body) != nil || body["kind"] != nil {
		return r
	}
	is := k.kind
	switch r.Subresource {
	case "scale":
		is = scaleKind
	case "binding":
		is = bindingKind
	}
	body["apiVersion"], body["kind"] = is.GroupVersion().String(), is.Kind
	var err error
	if r.Body, err = json.Marshal(body); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKinds: requests as in TestRequests to built-in kinds, and what is answered.
func TestKinds(t *testing.T) {
	server := newTestServer(t)
	datadriven.Walk(t, "testdata/kinds", func(t *testing.T, path string) {
		var state State
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var answer *Response
			state, answer = server.Do(state, kindRequest(t, d))
			answer.Events = nil
			return describe(t, answer)
		})
	})
}

// TestKindsReal makes the requests of TestKinds to a Server and to kube-apiserver, and
// compares the answers, without what is drawn and without times.
func TestKindsReal(t *testing.T) {
	if os.Getenv(controlplane.Executable) == "" {
		t.Logf("needs a control plane: %s is the path of its executable", controlplane.Executable)
		return
	}
	started := controlplane.Start(t, func(o *controlplane.Options) {
		o.Spec.Mode = "lean"
		o.Spec.Controllers = []string{"-*"}
		o.Spec.Count = new(int)
		o.Spec.APIServer = map[string]string{
			"runtime-config": "rbac.authorization.k8s.io/v1=true",
			// What the last two add, a controller removes.
			"disable-admission-plugins": "ServiceAccount,PodSecurity,RuntimeClass,DefaultIngressClass,ResourceQuota,NodeRestriction,PodTopologyLabels," +
				"StorageObjectInUseProtection,TaintNodesByCondition",
		}
	})
	config, err := clientcmd.BuildConfigFromFlags("", started.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	server, real := newTestServer(t), &realServer{client: client, url: config.Host}
	paths, err := filepath.Glob("testdata/kinds/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var state State
			var wrong []string
			real.uids = nil
			datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
				r := kindRequest(t, d)
				code, body := real.do(t, r)
				var answer *Response
				state, answer = server.Do(state, r)
				real.pair(body, answer.Body)
				theirs, ours := real.comparable(t, body), (&realServer{}).comparable(t, answer.Body)
				if code != answer.Code || theirs != ours {
					wrong = append(wrong, fmt.Sprintf("%s:\n%s %s\nreal %d %s\nours %d %s", d.Pos, r.Verb, r.path(), code, theirs, answer.Code, ours))
				}
				return d.Expected
			})
			for _, w := range wrong {
				t.Error(w)
			}
		})
	}
}

// realServer is kube-apiserver.
type realServer struct {
	client *http.Client
	url    string
	// uids are replacements of its UIDs by ours.
	uids []string
}

func (s *realServer) do(t *testing.T, r *Request) (int, []byte) {
	t.Helper()
	target := s.url + r.path()
	if len(r.Options) > 0 {
		target += "?" + r.Options.Encode()
	}
	h, err := http.NewRequestWithContext(t.Context(), method[r.Verb], target, bytes.NewReader(r.Body))
	if err != nil {
		t.Fatal(err)
	}
	h.Header = r.http(request.NewContext()).Header // the very ones that are given to the handlers
	answer, err := s.client.Do(h)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, body
}

// pair notes that two answers have the UID of the same object.
func (s *realServer) pair(real, ours []byte) {
	uid := func(text []byte) string {
		var o struct{ Metadata struct{ UID string } }
		if json.Unmarshal(text, &o) != nil {
			return ""
		}
		return o.Metadata.UID
	}
	if theirs := uid(real); theirs != "" {
		s.uids = append(s.uids, theirs, uid(ours))
	}
}

// drawn is what a real server draws: addresses and ports.
var drawn = regexp.MustCompile(`"10\.\d+\.\d+\.\d+"|:3[0-2]\d\d\d\b`)

// comparable is an answer in a form in which two can be compared.
func (s *realServer) comparable(t *testing.T, body []byte) string {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal(body, &o); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	strip(o)
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return drawn.ReplaceAllString(strings.NewReplacer(s.uids...).Replace(string(text)), `"drawn"`)
}

// nameless is what is of a request that failed, or of the store.
var nameless = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|Key: [^,]*`)

// template is one in a message: the real server shows its internal type.
var template = regexp.MustCompile(`\{.*"(Spec|spec)":.*\}:`)

// strip takes out what differs from one server to another: versions and times, and what
// follows the first line of a message.
func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		if details, ok := v["details"].(map[string]any); ok && details["causes"] != nil {
			delete(v, "message") // made of the causes, whose order is that of a map
			if causes, ok := details["causes"].([]any); ok {
				slices.SortFunc(causes, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
		for k, m := range v {
			switch k {
			case "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "time", "lastTransitionTime", "lastPhaseTransitionTime":
				delete(v, k)
			case "message":
				line, _, _ := strings.Cut(fmt.Sprint(m), "\n")
				v[k] = template.ReplaceAllString(nameless.ReplaceAllString(line, "…"), "{…}:")
			case "managedFields":
				strip(m)
				if entries, ok := m.([]any); ok { // in order of their times
					slices.SortFunc(entries, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
				}
			default:
				strip(m)
			}
		}
	case []any:
		for _, m := range v {
			strip(m)
		}
	}
}
