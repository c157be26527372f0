package environment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/settle/environment"
	"github.com/seatrial/seatrial/settle/kubestate"
)

// plane is a control plane with the real controllers.
type plane struct {
	client *http.Client
	url    string
}

// patience is how long the real controllers may take to come to rest.
const patience = 20 * time.Second

// TestPlane makes the requests of each workload of kube-apiserver, where the real controllers
// act, and of a Server with the actors, and compares what both come to.
func TestPlane(t *testing.T) {
	if os.Getenv(controlplane.Executable) == "" {
		t.Logf("needs a control plane: %s is the path of its executable", controlplane.Executable)
		return
	}
	started := controlplane.Start(t, func(o *controlplane.Options) { o.Spec.Mode = "lean" })
	config, err := clientcmd.BuildConfigFromFlags("", started.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS = -1
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	p := &plane{client, config.Host}
	p.do(t, kubestate.Request{Verb: "create", Resource: storagev1.SchemeGroupVersion.WithResource("storageclasses"), Body: []byte(`{"metadata":{"name":"standard"},"provisioner":"x.test/any"}`)})
	for _, workload := range workloads {
		t.Run(workload.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			both := func(line string) {
				q := request(t, workload.name, line)
				w.do(q)
				p.do(t, q)
				w.rest(shuffled(uint64(len(line))), environment.Cluster()...)
				if strings.Contains(line, "namespaces/") && q.Verb == "create" {
					return
				}
				want := show(w.objects(workload.name))
				p.await(t, workload.name, line, want)
			}
			both("create namespaces/x")
			for _, line := range lines(workload.script) {
				both(line)
			}
			both("delete namespaces/x {}")
		})
	}
}

// path is the URL's.
func path(q kubestate.Request) string {
	out := "/apis/" + q.Resource.Group
	if q.Resource.Group == "" {
		out = "/api"
	}
	out += "/" + q.Resource.Version
	if q.Namespace != "" {
		out += "/namespaces/" + q.Namespace
	}
	out += "/" + q.Resource.Resource
	if q.Name != "" {
		out += "/" + q.Name
	}
	return out
}

func (p *plane) ask(ctx context.Context, q kubestate.Request) (int, []byte, error) {
	verb := map[string]string{"create": "POST", "patch": "PATCH", "delete": "DELETE", "list": "GET"}[q.Verb]
	r, err := http.NewRequestWithContext(ctx, verb, p.url+path(q), bytes.NewReader(q.Body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	if q.Patch != "" {
		r.Header.Set("Content-Type", q.Patch)
	}
	a, err := p.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = a.Body.Close() }()
	text, err := io.ReadAll(a.Body)
	return a.StatusCode, text, err
}

func (p *plane) do(t *testing.T, q kubestate.Request) {
	t.Helper()
	if code, text, err := p.ask(t.Context(), q); err != nil || code >= 300 {
		t.Fatalf("%s %s: %d %s %v", q.Verb, path(q), code, text, err)
	}
}

// objects are what a namespace holds of what the actors make.
func (p *plane) objects(t *testing.T, namespace string) (all []map[string]any) {
	for plural := range groups {
		if plural == "namespaces" {
			continue
		}
		q := request(t, namespace, "list "+plural)
		code, text, err := p.ask(t.Context(), q)
		if err != nil || code != http.StatusOK {
			t.Fatalf("list %s: %d %v", plural, code, err)
		}
		var found struct{ Items []map[string]any }
		if err := json.Unmarshal(text, &found); err != nil {
			t.Fatal(err)
		}
		_, kind, _ := strings.Cut(groups[plural], " ")
		for _, o := range found.Items {
			if at(o, "metadata", "name") != "kube-root-ca.crt" {
				o["kind"] = kind
				all = append(all, o)
			}
		}
	}
	return all
}

// await waits until a namespace of the plane holds what is wanted, twice in a row.
func (p *plane) await(t *testing.T, namespace, line, want string) {
	t.Helper()
	end := time.NewTimer(patience)
	defer end.Stop()
	tick := time.NewTicker(150 * time.Millisecond)
	defer tick.Stop()
	same, got := 0, ""
	for same < 2 {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("%s:\n%s", line, differences(got, want))
		}
		if got = show(p.objects(t, namespace)); got == want {
			same++
		} else {
			same = 0
		}
	}
}

// differences are the lines that only one has.
func differences(real, ours string) string {
	only := func(all, without string) (out string) {
		for _, l := range strings.Split(all, "\n") {
			if strings.Count("\n"+all+"\n", "\n"+l+"\n") != strings.Count("\n"+without+"\n", "\n"+l+"\n") {
				out += "  " + l + "\n"
			}
		}
		return out
	}
	return fmt.Sprintf("real:\n%sours:\n%s", only(real, ours), only(ours, real))
}
