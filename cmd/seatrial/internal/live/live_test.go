package live_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/live"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// server is an API server of a few lists: a path has items, or an answer that is none.
type server struct {
	items   map[string][]string
	answers map[string]int
	// drop closes the connection at this path.
	drop string
	// expire forgets, once, where a list was.
	expire bool

	mu    sync.Mutex
	asked []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, q.Method+" "+q.URL.Path)
	if s.drop == q.URL.Path {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	fail := func(code int, reason string) {
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"code":%d,"message":"%s is forbidden: User \"reader\" cannot list it"}`, reason, code, q.URL.Path)
	}
	items, served := s.items[q.URL.Path]
	switch code := s.answers[q.URL.Path]; {
	case code == http.StatusForbidden:
		fail(code, "Forbidden")
		return
	case code == http.StatusUnauthorized:
		fail(code, "Unauthorized")
		return
	case !served && strings.Count(q.URL.Path, ".") > 1: // a custom resource
		fail(http.StatusNotFound, "NotFound")
		return
	}
	// One object a page.
	at := 0
	if c := q.URL.Query().Get("continue"); c != "" {
		if s.expire {
			s.expire = false
			fail(http.StatusGone, "Expired")
			return
		}
		if _, err := fmt.Sscan(c, &at); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	next, page := "", []json.RawMessage{}
	if at < len(items) {
		page = append(page, json.RawMessage(items[at]))
	}
	if at+1 < len(items) {
		next = fmt.Sprint(at + 1)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "List", "metadata": map[string]any{"continue": next}, "items": page})
}

// start serves s, and returns a kubeconfig with two contexts of it.
func (s *server) start(t *testing.T) string {
	t.Helper()
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	return fileOf(t, h.URL, "token: very-secret")
}

func fileOf(t *testing.T, url, user string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: prod
clusters: [{name: c, cluster: {server: %q}}]
users: [{name: u, user: {%s}}]
contexts:
- {name: prod, context: {cluster: c, user: u, namespace: shop}}
- {name: dev, context: {cluster: c, user: u}}
`, url, user)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	node   = `{"metadata":{"name":"n1","resourceVersion":"7","managedFields":[{"manager":"kubelet"}]},"status":{"allocatable":{"cpu":"4","pods":"110"},"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2026-01-01T00:00:00Z"}]}}`
	deploy = `{"metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"web:1"}]}}}}`
	other  = `{"metadata":{"name":"api-1","namespace":"other","uid":"u","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"r","controller":true}]},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"api:1"}]},"status":{"phase":"Running"}}`
)

func small() *server {
	return &server{items: map[string][]string{
		"/api/v1/nodes": {node, strings.ReplaceAll(node, "n1", "n0")},
		"/apis/apps/v1/namespaces/shop/deployments": {deploy},
		"/api/v1/pods": {other},
	}, answers: map[string]int{}}
}

func TestAClusterIsReadAsADump(t *testing.T) {
	s := small()
	got, err := live.Read(t.Context(), live.Options{Choice: kubeconfig.Choice{Kubeconfig: s.start(t)}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Context != "prod" || got.Namespace != "shop" || got.Text.Name != "<live, context prod>" {
		t.Errorf("reads %q of %q", got.Namespace, got.Context)
	}
	want := `---
apiVersion: v1
kind: Node
metadata:
  name: n0
status:
  allocatable:
    cpu: "4"
    pods: "110"
  conditions:
  - status: "True"
    type: Ready
`
	text := string(got.Text.Data)
	if !strings.HasPrefix(text, want) {
		t.Errorf("reads\n%s", text)
	}
	for _, q := range s.asked {
		if !strings.HasPrefix(q, "GET ") || strings.Contains(q, "secrets") {
			t.Errorf("asks %s", q)
		}
	}
	in, err := manifest.Load(t.Context(), nil, nil, manifest.Options{Texts: []manifest.Text{got.Text}})
	if err != nil {
		t.Fatal(err)
	}
	if at := in.Deployments[0].Source.Position("spec.replicas").FileLine(); at != "Deployment shop/web spec.replicas (live, context prod)" {
		t.Errorf("a field is at %q", at)
	}
	// What another namespace has on the nodes is there, and stays.
	var said []string
	for _, o := range in.Omissions(nil) {
		said = append(said, o.Name+": "+o.Reason)
	}
	if !slices.Contains(said, "ReplicaSet/other/api: its namespace is not checked; its pod is held as given") {
		t.Errorf("says %q", said)
	}
}

func TestTheNamespaceIsTheOneThatKubectlWouldTake(t *testing.T) {
	cases := []struct {
		name string
		o    live.Options
		want string
	}{
		{"that of the context", live.Options{}, "GET /apis/apps/v1/namespaces/shop/deployments"},
		{"default, if the context has none", live.Options{Choice: kubeconfig.Choice{Context: "dev"}}, "GET /apis/apps/v1/namespaces/default/deployments"},
		{"-n", live.Options{Choice: kubeconfig.Choice{Namespace: "team"}}, "GET /apis/apps/v1/namespaces/team/deployments"},
		{"-A", live.Options{All: true}, "GET /apis/apps/v1/deployments"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := small()
			c.o.Kubeconfig = s.start(t)
			if _, err := live.Read(t.Context(), c.o); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(s.asked, "\n")+"\n", c.want+"\n") {
				t.Errorf("asks %s", s.asked)
			}
		})
	}
}

const (
	schedulerPod = `{"metadata":{"name":"kube-scheduler-m1","namespace":"kube-system","uid":"u"},"spec":{"nodeName":"n1","containers":[{"name":"s","image":"registry.k8s.io/kube-scheduler:v1.36.3","command":["kube-scheduler","--config=/etc/s.yaml"]}]}}`
	cronJob      = `{"metadata":{"name":"descheduler","namespace":"ops"},"spec":{"jobTemplate":{"spec":{"template":{"spec":{"containers":[{"name":"d","image":"registry.k8s.io/descheduler/descheduler:v0.36.0"}]}}}}}}`
	policyMap    = `{"metadata":{"name":"policy"},"data":{"policy.yaml":"apiVersion: descheduler/v1alpha2\nkind: DeschedulerPolicy\n"}}`
	profileMap   = `{"metadata":{"name":"s"},"data":{"a":"DeschedulerPolicy is elsewhere","config.yaml":"apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: []\n"}}`
)

// What cannot be read is never passed over.
func TestWhatIsNotKnownIsSaid(t *testing.T) {
	const assumed = "KubeSchedulerConfiguration: no pod of kube-scheduler is seen, and no ConfigMap has one; the defaults are assumed"
	cases := []struct {
		name  string
		spoil func(*server)
		want  []string
	}{
		{"all is there", func(s *server) {
			s.items["/api/v1/namespaces/kube-system/configmaps"] = []string{profileMap}
		}, nil},
		{"a managed control plane", func(*server) {}, []string{assumed}},
		{"a kind that matters", func(s *server) {
			s.answers["/apis/policy/v1/namespaces/shop/poddisruptionbudgets"] = 403
		}, []string{`PodDisruptionBudget (blocking): may not be read (User "reader" cannot list it)`, assumed}},
		{"a kind that hardly does", func(s *server) {
			s.answers["/api/v1/namespaces"] = 403
		}, []string{`Namespace: may not be read (User "reader" cannot list it)`, assumed}},
		{"pods of other namespaces", func(s *server) {
			s.answers["/api/v1/pods"] = 403
		}, []string{`Pod (blocking): those of other namespaces may not be read, and take room on the nodes (User "reader" cannot list it)`, assumed}},
		{"a scheduler with a file", func(s *server) {
			s.items["/api/v1/pods"] = []string{schedulerPod}
		}, []string{"KubeSchedulerConfiguration (blocking): kube-scheduler reads one from a file of its machine, and no ConfigMap has it; give it as a file"}},
		{"a scheduler with the defaults", func(s *server) {
			s.items["/api/v1/pods"] = []string{strings.ReplaceAll(schedulerPod, "--config=/etc/s.yaml", "--v=2")}
		}, nil},
		{"two configurations", func(s *server) {
			s.items["/api/v1/namespaces/kube-system/configmaps"] = []string{profileMap, strings.ReplaceAll(profileMap, "[]", "null")}
		}, []string{"KubeSchedulerConfiguration (blocking): there are several in ConfigMaps, and which of them counts is not known; give it as a file, from another dump"}},
		{"a descheduler and its policy", func(s *server) {
			s.items["/apis/batch/v1/cronjobs"] = []string{cronJob}
			s.items["/api/v1/namespaces/ops/configmaps"] = []string{policyMap}
		}, []string{assumed}},
		{"a descheduler without", func(s *server) {
			s.items["/apis/batch/v1/cronjobs"] = []string{cronJob}
			s.answers["/api/v1/namespaces/ops/configmaps"] = 403
		}, []string{assumed, "DeschedulerPolicy (blocking): CronJob/ops/descheduler runs one, and no ConfigMap that may be read has its policy; give it as a file"}},
		{"a later Kubernetes", func(s *server) {
			s.items["/apis/apps/v1/namespaces/shop/deployments"] = []string{strings.Replace(deploy, `"replicas":1`, `"replicas":1,"swarm":true`, 1)}
		}, []string{`Deployment/shop/web (blocking): it has what Kubernetes 1.36 does not know: unknown field "spec.swarm"`, assumed}},
		{"a list that took too long", func(s *server) { s.expire = true }, []string{assumed}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := small()
			c.spoil(s)
			o := live.Options{Choice: kubeconfig.Choice{Kubeconfig: s.start(t)}}
			if s.items["/apis/batch/v1/cronjobs"] != nil {
				o.All = true
				s.items["/apis/apps/v1/deployments"] = []string{deploy}
			}
			got, err := live.Read(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, u := range got.Text.Unread {
				if u.Blocking {
					u.Name += " (blocking)"
				}
				said = append(said, u.Name+": "+u.Reason)
			}
			if diff := cmp.Diff(c.want, said); diff != "" {
				t.Error(diff)
			}
			in, err := manifest.Load(t.Context(), nil, nil, manifest.Options{Texts: []manifest.Text{got.Text}})
			if err != nil {
				t.Fatal(err)
			}
			blocking := 0
			for _, o := range in.Omissions(nil) {
				if o.Blocking {
					blocking++
				}
			}
			if want := strings.Count(strings.Join(c.want, "\n"), "(blocking)"); blocking < want {
				t.Errorf("%d of %d block a verdict", blocking, want)
			}
		})
	}
}

func TestWhatCannotBeReadAtAllIsAnError(t *testing.T) {
	cases := []struct {
		name  string
		spoil func(*server)
		own   bool
		want  string
	}{
		{
			"no rights", func(s *server) { s.answers["/api/v1/nodes"] = 403 }, true,
			`context prod: nodes may not be read, and nothing can be checked without (User "reader" cannot list it); docs/input.md has the rights that are needed`,
		},
		{"no entry", func(s *server) { s.answers["/api/v1/nodes"] = 401 }, true, "context prod: the cluster does not accept the credentials"},
		{"it goes away", func(s *server) { s.drop = "/api/v1/pods" }, false, "context prod: read pods: Get "},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := small()
			c.spoil(s)
			_, err := live.Read(t.Context(), live.Options{Choice: kubeconfig.Choice{Kubeconfig: s.start(t)}})
			var its *kubeconfig.Error
			if err == nil || errors.As(err, &its) != c.own || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("says %v", err)
			}
			if err != nil && strings.Contains(err.Error(), "very-secret") {
				t.Error("says the token")
			}
		})
	}
}

func TestAKubeconfigThatDoesNotSayWhereIsAnError(t *testing.T) {
	file := fileOf(t, "https://127.0.0.1:1", "token: x")
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		o    live.Options
		want string
	}{
		{live.Options{Choice: kubeconfig.Choice{Kubeconfig: file, Context: "none"}}, `the kubeconfig has no context "none"; kubectl config get-contexts lists them`},
		{live.Options{Choice: kubeconfig.Choice{Kubeconfig: file + "x"}}, "--kubeconfig " + file + "x: there is no such file"},
		{live.Options{Choice: kubeconfig.Choice{Kubeconfig: empty}}, "no kubeconfig has a context: name a file with --kubeconfig or KUBECONFIG (by default it is ~/.kube/config)"},
		{live.Options{Choice: kubeconfig.Choice{Kubeconfig: broken}}, "kubeconfig: "},
	}
	for _, c := range cases {
		_, err := live.Read(t.Context(), c.o)
		var its *kubeconfig.Error
		if !errors.As(err, &its) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("says %v, want %s", err, c.want)
		}
	}
	if diff := cmp.Diff([]string{"dev", "prod"}, kubeconfig.Contexts(file)); diff != "" {
		t.Error(diff)
	}
	if names := kubeconfig.Contexts(broken); names != nil {
		t.Errorf("contexts %q", names)
	}
}

func TestAnInterruptEndsReading(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	h := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		interrupt()
		<-q.Context().Done()
	}))
	defer h.Close()
	_, err := live.Read(ctx, live.Options{Choice: kubeconfig.Choice{Kubeconfig: fileOf(t, h.URL, "token: x")}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("says %v", err)
	}
}
