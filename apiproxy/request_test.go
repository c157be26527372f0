package apiproxy

import (
	"encoding/binary"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestClassify(t *testing.T) {
	cases := []struct {
		method, url string
		want        string // verb resource namespace name
		does        string // reads, writes, or steered: writes and can be held
	}{
		{"GET", "/api/v1/namespaces/default/pods", "list pods default -", "reads"},
		{"GET", "/api/v1/namespaces/default/pods/web-0", "get pods default web-0", "reads"},
		{"HEAD", "/api/v1/nodes/a", "get nodes - a", "reads"},
		{"GET", "/api/v1/pods?watch=true", "watch pods - -", "reads"},
		{"GET", "/api/v1/pods?watch=false", "list pods - -", "reads"},
		{"GET", "/api/v1/watch/namespaces/default/pods", "watch pods default -", "reads"},
		{"POST", "/api/v1/namespaces/default/pods", "create pods default -", "steered"},
		{"POST", "/api/v1/namespaces/default/pods?dryRun=All", "create pods default -", "reads"},
		{"POST", "/api/v1/namespaces/default/pods/web-0/binding", "create pods/binding default web-0", "steered"},
		{"POST", "/api/v1/namespaces/default/pods/web-0/eviction", "create pods/eviction default web-0", "steered"},
		{"PATCH", "/api/v1/namespaces/default/pods/web-0/status", "patch pods/status default web-0", "steered"},
		{"DELETE", "/api/v1/namespaces/default/pods/web-0", "delete pods default web-0", "steered"},
		{"DELETE", "/api/v1/namespaces/default/pods?labelSelector=app%3Dweb", "deletecollection pods default -", "steered"},
		{"PUT", "/apis/apps/v1/namespaces/default/deployments/web/scale", "update deployments.apps/scale default web", "steered"},
		{"PUT", "/apis/example.com/v1/widgets/w/", "update widgets.example.com - w", "steered"},
		// A namespace is in itself; its two subresources are no resources in it.
		{"POST", "/api/v1/namespaces", "create namespaces - -", "steered"},
		{"DELETE", "/api/v1/namespaces/team", "delete namespaces - team", "steered"},
		{"PUT", "/api/v1/namespaces/team/finalize", "update namespaces/finalize - team", "steered"},
		{"PATCH", "/api/v1/namespaces/team/status", "patch namespaces/status - team", "steered"},
		// Never held.
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x", "update leases.coordination.k8s.io kube-system x", "writes"},
		{"POST", "/api/v1/namespaces/default/events", "create events default -", "writes"},
		{"PATCH", "/apis/events.k8s.io/v1/namespaces/default/events/e", "patch events.events.k8s.io default e", "writes"},
		// Nothing is stored.
		{"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", "create subjectaccessreviews.authorization.k8s.io - -", "reads"},
		{"POST", "/apis/authentication.k8s.io/v1/tokenreviews", "create tokenreviews.authentication.k8s.io - -", "reads"},
		{"POST", "/api/v1/namespaces/default/serviceaccounts/s/token", "create serviceaccounts/token default s", "reads"},
		{"POST", "/api/v1/namespaces/default/pods/web-0/exec?command=ls", "create pods/exec default web-0", "reads"},
		{"POST", "/api/v1/namespaces/default/services/s/proxy/delete/all", "create services/proxy default s", "reads"},
		// No resources.
		{"GET", "/", "", ""},
		{"GET", "/healthz", "", ""},
		{"GET", "/api/v1", "", ""},
		{"GET", "/api/v1/watch", "", ""},
		{"GET", "/apis/apps/v1", "", ""},
		{"POST", "/logs/api/v1/pods", "", ""},
		{"OPTIONS", "/api/v1/pods", "", ""},
	}
	for _, c := range cases {
		u, err := url.Parse("https://127.0.0.1:6443" + c.url)
		if err != nil {
			t.Fatal(err)
		}
		r, known := Classify(c.method, u)
		got, does := "", ""
		if known {
			got = strings.Join([]string{r.Verb, r.Resource, dash(r.Namespace), dash(r.Name)}, " ")
			switch {
			case r.Steered():
				does = "steered"
			case r.Writes():
				does = "writes"
			default:
				does = "reads"
			}
		}
		if got != c.want || does != c.does {
			t.Errorf("%s %s is %q, which %q; want %q, which %q", c.method, c.url, got, does, c.want, c.does)
		}
	}
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// protobuf writes a length-delimited field.
func protobuf(number uint64, content string) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3|2), uint64(len(content)))) + content
}

func TestNamed(t *testing.T) {
	typeMeta := protobuf(1, protobuf(1, "apps/v1")+protobuf(2, "ReplicaSet"))
	enveloped := func(meta string) string {
		return "k8s\x00" + typeMeta + protobuf(2, protobuf(1, meta)+protobuf(2, "spec"))
	}
	cases := []struct{ name, body, want string }{
		{"JSON", `{"kind":"Pod","metadata":{"name":"web-0"}}`, "web-0"},
		{"generated", `{"metadata":{"generateName":"web-"}}`, ""},
		{"of another type", `{"metadata":{"name":7}}`, ""},
		{"cut short", `{"metadata":{"name":"web`, ""},
		{"nothing", "", ""},
		{"protobuf", enveloped(protobuf(1, "web-6f") + protobuf(3, "default")), "web-6f"},
		{"protobuf, generated", enveloped(protobuf(2, "web-")), ""},
		{"protobuf, numbers before", enveloped("\x38\x96\x01" + "\x41\x00\x00\x00\x00\x00\x00\x00\x00" + "\x4d\x00\x00\x00\x00" + protobuf(1, "web-6f")), "web-6f"},
		{"protobuf, cut short", enveloped(protobuf(1, "web-6f"))[:40], ""},
		{"protobuf, a length beyond all", "k8s\x00\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", ""},
		{"protobuf, a group", "k8s\x00\x13", ""},
		{"no envelope", "k9s\x00", ""},
	}
	for _, c := range cases {
		if got := named([]byte(c.body)); got != c.want {
			t.Errorf("%s: the name is %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzClassify: whatever is asked, what is steered writes, and the gate and the
// API server agree on what a plain object's path means.
func FuzzClassify(f *testing.F) {
	f.Add("POST", "/api/v1/namespaces/default/pods/web-0/binding")
	f.Add("DELETE", "/apis/apps/v1/namespaces/x/deployments?dryRun=All")
	f.Add("GET", "/api/v1/watch/pods")
	f.Fuzz(func(t *testing.T, method, text string) {
		u, err := url.Parse(text)
		if err != nil {
			return
		}
		r, known := Classify(method, u)
		if !known {
			if r != (Request{}) {
				t.Errorf("unknown, and %+v", r)
			}
			return
		}
		if r.Steered() && !r.Writes() {
			t.Errorf("%+v is steered and does not write", r)
		}
		if reads := method == http.MethodGet || method == http.MethodHead; reads && r.Writes() {
			t.Errorf("%s is taken for a write: %+v", method, r)
		}
	})
}

// FuzzNamed: a body never makes the gate fail.
func FuzzNamed(f *testing.F) {
	f.Add([]byte(`{"metadata":{"name":"web-0"}}`))
	f.Add([]byte("k8s\x00" + protobuf(2, protobuf(1, protobuf(1, "web-0")))))
	f.Fuzz(func(t *testing.T, body []byte) {
		if name := named(body); len(name) > 3*len(body) {
			t.Errorf("the name is longer than its body")
		}
		shown(body)
	})
}

// TestRemoved: an update that leaves what is being deleted without a finalizer and
// without a grace period has removed it.
func TestRemoved(t *testing.T) {
	for _, test := range []struct {
		name, verb, metadata string
		want                 bool
	}{
		{"the last finalizer", "update", `"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 0`, true},
		{"the last finalizer, by a patch", "patch", `"deletionTimestamp": "2026-01-01T00:00:00Z"`, true},
		{"one is left", "update", `"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a"]`, false},
		{"a pod that has time", "update", `"deletionTimestamp": "2026-01-01T00:00:00Z", "deletionGracePeriodSeconds": 30`, false},
		{"it is not being deleted", "update", `"finalizers": []`, false},
		{"a delete, whose answer is what was there", "delete", `"deletionTimestamp": "2026-01-01T00:00:00Z"`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := &Exchange{Request: Request{Verb: test.verb}}
			x.answered([]byte(`{"metadata": {"uid": "u", "resourceVersion": "7", ` + test.metadata + `}}`))
			if x.Removed != test.want || x.UID != "u" || x.Revision != 7 {
				t.Errorf("removed %t, of %s in %d", x.Removed, x.UID, x.Revision)
			}
		})
	}
}
