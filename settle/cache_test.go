package settle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	heardof "sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle/kubestate"
)

// listener puts into its queue what it hears of Secrets: new, changed, replaced (by another of
// that name), deleted, or missed (found to be gone later). Of ConfigMaps it watches the
// metadata as well.
func listener(mgr ctrl.Manager) error {
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	add := func(q queue, what string, o client.Object) {
		q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Name: what + " " + o.GetName()}})
	}
	return ctrl.NewControllerManagedBy(mgr).Named("listener").
		Watches(&corev1.Secret{}, handler.Funcs{
			CreateFunc: func(_ context.Context, e heardof.CreateEvent, q queue) { add(q, "new", e.Object) },
			UpdateFunc: func(_ context.Context, e heardof.UpdateEvent, q queue) {
				what := "changed"
				if e.ObjectOld.GetUID() != e.ObjectNew.GetUID() {
					what = "replaced"
				}
				add(q, what, e.ObjectNew)
			},
			DeleteFunc: func(_ context.Context, e heardof.DeleteEvent, q queue) {
				what := "deleted"
				if e.DeleteStateUnknown {
					what = "missed"
				}
				add(q, what, e.Object)
			},
		}).
		Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).
		WatchesMetadata(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).
		Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, nil }))
}

// stage is two processes, p and q, that listen.
type stage struct {
	t *testing.T
	x *explorer
	n *node
}

var stageKinds = map[string]schema.GroupVersionKind{
	"secret": corev1.SchemeGroupVersion.WithKind("Secret"), "configmap": corev1.SchemeGroupVersion.WithKind("ConfigMap"),
	"service": corev1.SchemeGroupVersion.WithKind("Service"),
}

func newStage(t *testing.T, own bool) *stage {
	c := idling(Process{Name: "p", Setup: listener, ReadYourWrites: own, Resync: own}, Process{Name: "q", Setup: listener, Cache: client.CacheOptions{
		Unstructured: true, DisableFor: []client.Object{&corev1.ConfigMap{}},
	}})
	c.Faults = Faults{Stale: true, Crash: true, Older: true, Gradual: true}
	x, err := newExplorer(&c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.close)
	return &stage{t, x, &node{controllers: make([]controllerState, x.controllers)}}
}

// play does what a line says; a line with a question and " = " is checked.
func (s *stage) play(line string) {
	question, want, asked := strings.Cut(line, " =")
	word := strings.Fields(question)
	got := ""
	switch word[0] {
	case "create", "change", "delete":
		s.write(nobody, word[0], word[1], word[2])
	case "p", "q":
		process := strings.Index("pq", word[0])
		switch word[1] {
		case "reads":
			got = s.read(process, word[2])
		case "queue":
			got = s.queue(process)
		case "waits":
			got = s.waits(process, word[2])
		case "changes":
			s.write(process, "change", word[2], word[3])
		default:
			s.step(word[0], strings.Join(word[1:], " "))
		}
	default:
		s.t.Fatalf("what is %q?", line)
	}
	if want = strings.TrimSpace(want); asked && got != want {
		s.t.Errorf("%s: it is %q", line, got)
	}
}

// write changes an object: its annotation "n" counts.
func (s *stage) write(process int, verb, kind, name string) {
	r := s.x.resource(stageKinds[kind])
	q := kubestate.Request{Verb: verb, Resource: r.Resource, Namespace: "default", Name: name}
	body := func(n int) []byte {
		return fmt.Appendf(nil, `{"apiVersion":"v1","kind":%q,"metadata":{"name":%q,"annotations":{"n":"%d"}}}`, r.Kind.Kind, name, n)
	}
	switch verb {
	case "create":
		q.Name, q.Body = "", body(1)
	case "change":
		n := 0
		_, _ = fmt.Sscan(s.n.world.Get(r.Prefix("default") + name).Meta().GetAnnotations()["n"], &n)
		q.Verb, q.Patch, q.Body = "patch", "application/merge-patch+json", body(n+1)
	}
	c := &call{resource: r, key: r.Prefix("default") + name, write: &q}
	a := s.x.write(s.n, c)
	if a.status != nil {
		s.t.Fatal(failure(a.status))
	}
	if process != nobody {
		s.x.wrote(s.n, process, c, &a)
	}
}

// read is what a process reads: of a kind, as it is (live) or in a form.
func (s *stage) read(process int, what string) string {
	kind, form, _ := strings.Cut(what, "/")
	of := stageKinds[kind]
	list := map[string]client.ObjectList{"secret": &corev1.SecretList{}, "configmap": &corev1.ConfigMapList{}, "service": &corev1.ServiceList{}}[kind]
	switch form {
	case "unstructured":
		u := &unstructured.UnstructuredList{}
		u.SetGroupVersionKind(of.GroupVersion().WithKind(of.Kind + "List"))
		list = u
	case "metadata":
		m := &metav1.PartialObjectMetadataList{}
		m.SetGroupVersionKind(of.GroupVersion().WithKind(of.Kind + "List"))
		list = m
	}
	p := s.x.free[0]
	p.asking(process, looking(func(c *call) answer {
		s.x.begins(s.n, process, c)
		return s.x.read(s.n, process, c)
	}))
	var from client.Reader = p.asks[process]
	if form == "live" {
		from = p.managers[process].GetAPIReader()
	}
	if err := from.List(s.t.Context(), list); err != nil {
		s.t.Fatal(err)
	}
	var out []string
	_ = meta.EachListItem(list, func(o runtime.Object) error {
		m, err := meta.Accessor(o)
		out = append(out, m.GetName()+m.GetAnnotations()["n"])
		return err
	})
	return strings.Join(out, " ")
}

// waits is what a process would wait for: a list of a kind, or a get of an object.
func (s *stage) waits(process int, what string) string {
	kind, name, get := strings.Cut(what, "/")
	r := s.x.resource(stageKinds[kind])
	c := &call{cached: true, resource: r, list: !get, key: r.Prefix("default") + name}
	return fmt.Sprint(s.x.waiting(s.n, process, c))
}

func (s *stage) queue(process int) string {
	var out []string
	for _, r := range s.n.controllers[process].queue {
		out = append(out, r.Name)
	}
	s.n.controllers[process].queue = nil
	return strings.Join(out, ", ")
}

// step takes the step of a process with this text.
func (s *stage) step(actor, text string) {
	var can []string
	from := s.n
	s.x.steps(from, func(one step, to *node) {
		if one.actor == actor && one.text == text {
			s.n = to
			if (one.class == "") != (strings.HasSuffix(text, stops) || strings.HasPrefix(text, "is killed") || strings.HasPrefix(text, lags) || strings.HasSuffix(text, " so far")) {
				s.t.Errorf("%s: its class is %q", text, one.class)
			}
		}
		can = append(can, one.actor+" "+one.text)
	})
	if s.n == from {
		s.t.Errorf("%s %s: that is no step; there are %q", actor, text, slices.Compact(can))
	}
}

// cacheRules are scripts of what happens, with what is read then.
var cacheRules = []struct {
	rule   string
	own    bool
	script string
}{
	{"in one life a cache never goes back; the next lists everything", false, `
			create secret x
			p the cache of secrets stops
			change secret x
			p reads secret = x1
			q reads secret = x2
			p the cache of secrets goes on
			p reads secret = x2
			p the cache of secrets stops
			change secret x
			p reads secret = x2
			p is killed, and begins again
			p reads secret = x3`},
	{"a call reads one cache at one moment", false, `
			create secret x
			create secret y
			p queue = new x, new y
			p the cache of secrets stops
			change secret x
			change secret y
			p reads secret = x1 y1
			p the cache of secrets goes on
			p reads secret = x2 y2`},
	{"caches stop and go on each by itself", false, `
			create secret x
			create configmap y
			p the cache of secrets stops
			change secret x
			change configmap y
			p reads secret = x1
			p reads configmap = y2
			p reads configmap/metadata = y2
			p the cache of configmaps (metadata) stops
			change configmap y
			p reads configmap = y3
			p reads configmap/metadata = y2`},
	{"objects first, and what there is to hear with them", false, `
			p the cache of secrets stops
			create secret x
			p queue =
			p reads secret =
			q queue = new x
			p the cache of secrets goes on
			p reads secret = x1
			p queue = new x`},
	{"what a process wrote is in its cache when that hears of it", false, `
			create secret x
			p the cache of secrets stops
			p changes secret x
			p waits secret = false
			p reads secret = x1`},
	{"or it waits for that, and not for what others wrote", true, `
			create secret x
			create secret y
			p the cache of secrets stops
			change secret y
			p waits secret = false
			p changes secret x
			p waits secret = true
			p waits secret/x = true
			p waits secret/y = false
			p waits configmap = false
			p the cache of secrets goes on
			p waits secret = false
			p reads secret = x2 y2`},
	{"but it does not know what it wrote in the life before", true, `
			create secret x
			p the cache of secrets stops
			p changes secret x
			p is killed, and begins again
			p waits secret = false`},
	{"all that happened is heard", false, `
			create secret x
			p queue = new x
			p the cache of secrets stops
			delete secret x
			create secret x
			create secret y
			delete secret y
			p queue =
			p the cache of secrets goes on, and hears what happened
			p queue = deleted x, deleted y, new x, new y`},
	{"or the difference", false, `
			create secret x
			create secret z
			p queue = new x, new z
			p the cache of secrets stops
			delete secret x
			create secret x
			create secret y
			delete secret y
			delete secret z
			p the cache of secrets is listed anew
			p queue = missed z, replaced x`},
	{"a cache that has missed nothing just goes on", false, `
			p the cache of secrets stops
			p the cache of secrets goes on`},
	{"what bypasses caches is current", false, `
			create secret x
			create configmap y
			p the cache of secrets stops
			q the cache of secrets stops
			q the cache of configmaps (typed) stops
			change secret x
			change configmap y
			p reads secret/live = x2
			p reads secret/unstructured = x2
			q reads configmap = y2
			p reads secret = x1`},
	{"what is read and not watched is cached from then on", false, `
			q reads service =
			q the cache of services stops
			q reads service =
			q is killed, and begins again
			q reads secret/unstructured =
			q the cache of secrets (unstructured) stops`},
	{"a cache may go on by a part of what it missed", false, `
			create secret x
			p queue
			p the cache of secrets stops
			change secret x
			p the cache of secrets is sent what happened so far
			create secret y
			p reads secret = x1
			p the cache of secrets goes on by a part
			p queue = changed x
			p reads secret = x2
			p the cache of secrets goes on
			p queue = new y
			p reads secret = x2 y1`},
	{"or by all, with what happened since", false, `
			create secret x
			p queue
			p the cache of secrets stops
			delete secret x
			p the cache of secrets is sent what happened so far
			create secret x
			p the cache of secrets goes on, and hears what happened
			p queue = deleted x, new x`},
	{"a process waits for its own writes through all parts", true, `
			create secret x
			p the cache of secrets stops
			p changes secret x
			p the cache of secrets is sent what happened so far
			p changes secret x
			p waits secret = true
			p the cache of secrets goes on by a part
			p waits secret = true
			p the cache of secrets goes on
			p waits secret = false`},
	{"a process may begin with an older list, and goes on from there", false, `
			create secret x
			p an API server falls behind: the cache of secrets
			change secret x
			create secret y
			delete secret y
			p is killed, and begins again with older lists
			p queue = new x
			p reads secret = x1
			q reads secret = x2
			p the cache of secrets goes on, and hears what happened
			p queue = changed x, deleted y, new y
			p reads secret = x2`},
	{"or hears of the difference; what it has not heard of in its life before it does not know", false, `
			create secret x
			p an API server falls behind: the cache of secrets
			p the cache of secrets stops
			delete secret x
			create secret x
			create secret y
			p is killed, and begins again with older lists
			p queue = new x
			p the cache of secrets is listed anew
			p queue = new y, replaced x`},
	{"an older list is of one kind and for one process", false, `
			create secret x
			create configmap y
			p an API server falls behind: the cache of secrets
			change secret x
			change configmap y
			q is killed, and begins again
			q reads secret = x2
			p is killed, and begins again with older lists
			p reads configmap = y2
			p reads secret = x1`},
	{"a process that begins with what there is now may have an older list the next time", false, `
			create secret x
			p an API server falls behind: the cache of secrets
			change secret x
			p is killed, and begins again
			p reads secret = x2
			p is killed, and begins again with older lists
			p reads secret = x1`},
	{"a resync hands over what the cache has", true, `
			create secret x
			p queue = new x
			p the cache of secrets stops
			create secret y
			p the cache of secrets is gone through again
			p queue = changed x`},
}

// TestCaches: the rules of caches that are behind. A line does something, or says what is so; p
// and q are processes, and x2 is an object that was written twice.
func TestCaches(t *testing.T) {
	for _, test := range cacheRules {
		t.Run(test.rule, func(t *testing.T) {
			s := newStage(t, test.own)
			for _, line := range strings.Split(strings.TrimSpace(test.script), "\n") {
				s.play(strings.TrimSpace(line))
			}
		})
	}
}

// TestFrozenIsRenamed: what a cache has does not tell how often things were created before.
func TestFrozenIsRenamed(t *testing.T) {
	key := func(lines ...string) string {
		s := newStage(t, false)
		for _, line := range append(lines, "p queue", "q queue", "p the cache of secrets stops", "delete secret x", "create secret x", "q queue") {
			s.play(line)
		}
		n, _, err := s.x.canonical(s.n)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", s.x.encode(nil, n))
	}
	one, other := key("create secret x"), key("create secret x", "delete secret x", "create configmap y", "create secret x", "change secret x", "delete configmap y", "delete secret x", "create secret x")
	if one != other {
		t.Errorf("\n%s is not\n%s", one, other)
	}
	if changed := key("create secret x", "change secret x"); changed == one {
		t.Error("what the cache has is not told apart")
	}
}
