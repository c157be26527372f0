package trial

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/features"
	featurestesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/history"
)

// perturbed is an engine in front of a plane, which is told of all that the
// plane's history has.
type perturbed struct {
	testing.TB
	plane  *controlplane.Plane
	engine *apiproxy.Engine
	direct kubernetes.Interface
	// after is asked after writes, if there is one.
	after   atomic.Pointer[func(*apiproxy.Exchange) apiproxy.Answer]
	records chan apiproxy.Record
}

func perturb(t testing.TB, options apiproxy.EngineOptions) *perturbed {
	p := &perturbed{TB: t, plane: controlplane.Start(t, lean), records: make(chan apiproxy.Record, 1e5)}
	p.direct = clientOf(t, p.plane.Kubeconfig)
	options.Actor = "operator"
	options.Record = func(r apiproxy.Record) { p.records <- r }
	options.After = func(_ context.Context, x *apiproxy.Exchange) apiproxy.Answer {
		if after := p.after.Load(); after != nil {
			return (*after)(x)
		}
		return apiproxy.Pass
	}
	p.engine = apiproxy.NewEngine(options)
	p.engine.Reached(p.plane.Revision)
	ctx, cancel := context.WithCancel(context.Background())
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		for e, err := range p.plane.Follow(ctx) {
			if err == nil {
				p.engine.Reached(e.Revision)
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-followed
	})
	return p
}

// config leads through a server to the plane, as a user of its own.
func (p *perturbed) config(incarnation *apiproxy.Incarnation) *rest.Config {
	p.Helper()
	plane := config(p, p.plane.Kubeconfig)
	trust, err := rest.TLSConfigFor(plane)
	if err != nil {
		p.Fatal(err)
	}
	server, err := apiproxy.Serve(incarnation, apiproxy.ServerOptions{
		Upstream: plane.Host, TLS: trust, Token: plane.BearerToken,
		Impersonate: &apiproxy.Identity{User: "operator", Groups: []string{"system:masters"}},
	})
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = server.Close() })
	c, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig())
	if err != nil {
		p.Fatal(err)
	}
	c.QPS = -1
	return c
}

// set writes a ConfigMap past the engine, and returns its revision.
func (p *perturbed) set(name, value string) int64 {
	p.Helper()
	maps := p.direct.CoreV1().ConfigMaps("default")
	want := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"value": value}}
	got, err := maps.Update(p.Context(), want, metav1.UpdateOptions{})
	if err != nil {
		got, err = maps.Create(p.Context(), want, metav1.CreateOptions{})
	}
	if err != nil {
		p.Fatal(err)
	}
	return revision(p, got.ResourceVersion)
}

func revision(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// informer tells what a client's cache is told of ConfigMaps: add a=1.
func (p *perturbed) informer(c *rest.Config) <-chan string {
	p.Helper()
	told := make(chan string, 1000)
	factory := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(c), 0, informers.WithNamespace("default"))
	tell := func(what string) func(any) {
		return func(object any) {
			if m, is := object.(*corev1.ConfigMap); is && m.Data["value"] != "" {
				told <- fmt.Sprintf("%s %s=%s", what, m.Name, m.Data["value"])
			}
		}
	}
	informer := factory.Core().V1().ConfigMaps().Informer()
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: tell("add"), DeleteFunc: tell("delete"), UpdateFunc: func(_, object any) { tell("update")(object) },
	}); err != nil {
		p.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	factory.Start(ctx.Done())
	p.Cleanup(func() {
		cancel()
		factory.Shutdown()
	})
	return told
}

// expect reads what is told.
func (p *perturbed) expect(told <-chan string, want ...string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	defer cancel()
	for _, w := range want {
		select {
		case got := <-told:
			if got != w {
				p.Errorf("the cache is told %q, want %q", got, w)
			}
		case <-ctx.Done():
			p.Fatalf("the cache is not told %q", w)
		}
	}
}

// held waits until a stream has something that it may not deliver.
func (p *perturbed) held(i *apiproxy.Incarnation) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), patience)
	defer cancel()
	if _, err := i.Await(ctx, func(a apiproxy.Activity) bool {
		return slices.ContainsFunc(a.Streams, func(s apiproxy.StreamActivity) bool { return s.Resource == "configmaps" && s.Held })
	}); err != nil {
		p.Fatalf("no stream is held: %v", err)
	}
}

// TestPerturbInformer: caches of client-go, with streaming lists and without, in
// JSON and in protobuf, are in the past, and miss what happens.
func TestPerturbInformer(t *testing.T) {
	for _, test := range []struct {
		name                string
		streaming, oldLists bool
		content             string
	}{
		{"streaming lists", true, false, runtime.ContentTypeJSON},
		{"streaming lists that are refused", true, true, runtime.ContentTypeProtobuf},
		{"lists", false, false, runtime.ContentTypeProtobuf},
	} {
		t.Run(test.name, func(t *testing.T) {
			featurestesting.SetFeatureDuringTest(t, features.WatchListClient, test.streaming)
			p := perturb(t, apiproxy.EngineOptions{OldLists: test.oldLists})
			old := p.set("a", "1")
			p.set("a", "2")

			i := p.engine.Incarnation("stale")
			i.Limit("configmaps", old)
			c := p.config(i)
			c.ContentType, c.AcceptContentTypes = test.content, test.content+",application/json"
			told := p.informer(c)
			if test.streaming && !test.oldLists { // which are consistent
				p.expect(told, "add a=2")
			} else {
				p.expect(told, "add a=1")
				p.held(i)
				i.Lift("configmaps", apiproxy.Deliver)
				p.expect(told, "update a=2")
			}

			i.Limit("configmaps", p.set("a", "3"))
			p.expect(told, "update a=3")
			p.set("a", "4")
			p.held(i)
			p.set("a", "5")
			i.Lift("configmaps", apiproxy.Relist)
			p.expect(told, "update a=5")
			p.set("a", "6")
			p.expect(told, "update a=6")
			i.Kill()
			for len(p.records) > 0 {
				if r := <-p.records; r.Overdue {
					t.Errorf("nobody had looked at %s", r)
				}
			}
		})
	}
}

// TestPerturbReads: gets and lists that any version is good enough for are as of the
// limit, for clients of all sorts; others are not.
func TestPerturbReads(t *testing.T) {
	p := perturb(t, apiproxy.EngineOptions{})
	old := p.set("a", "1")
	newest := p.set("a", "2")
	p.set("b", "1")
	i := p.engine.Incarnation("stale")
	i.Limit("configmaps", old)
	c := p.config(i)
	maps := kubernetes.NewForConfigOrDie(c).CoreV1().ConfigMaps("default")
	resource := corev1.SchemeGroupVersion.WithResource("configmaps")
	untyped := dynamicFor(c).Resource(resource).Namespace("default")
	partial := metadata.NewForConfigOrDie(c).Resource(resource).Namespace("default")
	for _, test := range []struct {
		version string
		want    int64
	}{{"0", old}, {strconv.FormatInt(old, 10), old}, {strconv.FormatInt(newest, 10), newest}, {"", newest}} {
		options := metav1.GetOptions{ResourceVersion: test.version}
		for name, get := range map[string]func(string) (metav1.Object, error){
			"typed":   func(name string) (metav1.Object, error) { return maps.Get(t.Context(), name, options) },
			"untyped": func(name string) (metav1.Object, error) { return untyped.Get(t.Context(), name, options) },
			"partial": func(name string) (metav1.Object, error) { return partial.Get(t.Context(), name, options) },
		} {
			if got, err := get("a"); err != nil || revision(t, got.GetResourceVersion()) != test.want {
				t.Errorf("%s get of version %q: %v, %v, want %d", name, test.version, got, err, test.want)
			}
			if _, err := get("b"); apierrors.IsNotFound(err) != (test.want == old) {
				t.Errorf("%s get of version %q of what was not there: %v", name, test.version, err)
			}
		}
		if list, err := partial.List(t.Context(), metav1.ListOptions{ResourceVersion: test.version, FieldSelector: "metadata.name=a"}); err != nil ||
			len(list.Items) != 1 || revision(t, list.Items[0].ResourceVersion) != test.want {
			t.Errorf("list of version %q: %+v, %v, want %d", test.version, list, err, test.want)
		}
	}
}

// TestPerturbWrites: writes of a client that speaks protobuf are known with their
// conditions, and in the history with the name of the controller.
func TestPerturbWrites(t *testing.T) {
	p := perturb(t, apiproxy.EngineOptions{})
	i := p.engine.Incarnation("first")
	c := p.config(i)
	c.ContentType = runtime.ContentTypeProtobuf
	maps := kubernetes.NewForConfigOrDie(c).CoreV1().ConfigMaps("default")
	var asked []apiproxy.Exchange
	lose := func(x *apiproxy.Exchange) apiproxy.Answer {
		asked = append(asked, *x)
		if x.Verb == "create" {
			return apiproxy.Lose
		}
		return apiproxy.Pass
	}
	p.after.Store(&lose)
	if _, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, metav1.CreateOptions{}); err == nil {
		t.Error("the answer to the create was lost")
	}
	created := await(t, p.plane, "the create", func(e history.Event) bool { return e.Resource == "configmaps" && e.Name == "b" })
	if created.Actor != "operator" || created.Outside {
		t.Errorf("created by %q, outside is %v", created.Actor, created.Outside)
	}
	got, err := maps.Get(t.Context(), "b", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got.Data = map[string]string{"value": "1"}
	updated, err := maps.Update(t.Context(), got, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := maps.Delete(t.Context(), "b", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(got.UID))}); err != nil {
		t.Fatal(err)
	}
	want := []apiproxy.Exchange{
		{Revision: created.Revision},
		{BodyRevision: got.ResourceVersion, BodyUID: string(got.UID), Revision: revision(t, updated.ResourceVersion)},
		{PreconditionUID: string(got.UID)},
	}
	if len(asked) != len(want) {
		t.Fatalf("%d writes, want %d", len(asked), len(want))
	}
	for n, x := range asked {
		w := want[n]
		if x.BodyRevision != w.BodyRevision || x.BodyUID != w.BodyUID || x.PreconditionUID != w.PreconditionUID || x.Revision != w.Revision || x.UID != created.UID || !x.Conditional() {
			t.Errorf("%s: %+v, want %+v", &x, x, w)
		}
	}
}

// BenchmarkPerturb compares lists of 1000 pods, and events of a watch, with and
// without the engine.
func BenchmarkPerturb(b *testing.B) {
	p := perturb(b, apiproxy.EngineOptions{})
	for n := range 1000 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%d", n)}, Spec: podSpec()}
		if _, err := p.direct.CoreV1().Pods("default").Create(b.Context(), pod, metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	asJSON := config(b, p.plane.Kubeconfig)
	asJSON.ContentType, asJSON.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	through := kubernetes.NewForConfigOrDie(p.config(p.engine.Incarnation("first")))
	for _, way := range []struct {
		name   string
		client kubernetes.Interface
	}{{"direct", p.direct}, {"JSON", kubernetes.NewForConfigOrDie(asJSON)}, {"through", through}} {
		b.Run("list/"+way.name, func(b *testing.B) {
			for b.Loop() {
				list, err := way.client.CoreV1().Pods("default").List(b.Context(), metav1.ListOptions{ResourceVersion: "0"})
				if err != nil || len(list.Items) < 1000 {
					b.Fatal(len(list.Items), err)
				}
			}
		})
		b.Run("watch/"+way.name, func(b *testing.B) {
			w, err := way.client.CoreV1().ConfigMaps("default").Watch(b.Context(), metav1.ListOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer w.Stop()
			n := 0
			for b.Loop() {
				n++
				want := strconv.FormatInt(p.set("x", strconv.Itoa(n)), 10)
				for e := range w.ResultChan() {
					if m, is := e.Object.(*corev1.ConfigMap); is && m.ResourceVersion == want {
						break
					}
				}
			}
		})
		for len(p.records) > 0 {
			<-p.records
		}
	}
}
