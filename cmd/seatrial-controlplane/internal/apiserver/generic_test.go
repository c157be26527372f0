package apiserver

import (
	"context"
	"net"
	"path/filepath"
	"reflect"
	"testing"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/server"
	aggregatorscheme "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	controlplaneserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
	generatedopenapi "k8s.io/kubernetes/pkg/generated/openapi"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/credential"
)

// TestGenericConfigIsUpstreams: what upstream sets is set here too, so that another
// version of Kubernetes that sets more is noticed.
func TestGenericConfigIsUpstreams(t *testing.T) {
	for _, lean := range []bool{true, false} {
		c, err := credential.New(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ours, _, _, err := genericConfig(completed(t, c, lean), c)
		if err != nil {
			t.Fatal(err)
		}
		s := completed(t, c, lean)
		theirs, _, _, err := controlplaneserver.BuildGenericConfig(s.CompletedOptions,
			[]*runtime.Scheme{legacyscheme.Scheme, apiextensions.Scheme, aggregatorscheme.Scheme},
			controlplane.DefaultAPIResourceConfigSource(), generatedopenapi.GetOpenAPIDefinitions)
		if err != nil {
			t.Fatal(err)
		}
		// The one more is of a certificate that has a life of its own.
		theirs.HealthzChecks, theirs.LivezChecks = theirs.HealthzChecks[1:], theirs.LivezChecks[1:]
		alike(t, "Config", reflect.ValueOf(*ours), reflect.ValueOf(*theirs))
		if got, want := ours.LoopbackClientConfig, theirs.LoopbackClientConfig; got.ContentType != want.ContentType ||
			got.DisableCompression != want.DisableCompression || got.ServerName != server.LoopbackClientServerNameOverride {
			t.Errorf("lean %v: the loopback client is %+v, want as %+v", lean, got, want)
		}
	}
}

// completed are the options of a server that is never started.
func completed(t *testing.T, c *credential.Credential, lean bool) options.CompletedOptions {
	t.Helper()
	registry, err := newRegistry()
	if err != nil {
		t.Fatal(err)
	}
	s := options.NewServerRunOptions()
	s.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	o := Options{Etcd: "unix://" + filepath.Join(t.TempDir(), "none.sock"), Prefix: "/main", Credential: c, Lean: lean}
	if err := configure(s, o, listener); err != nil {
		t.Fatal(err)
	}
	whole, err := s.Complete(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// alike compares what can be compared: plain values, how many there are, and
// whether anything is there.
func alike(t *testing.T, path string, ours, theirs reflect.Value) {
	t.Helper()
	switch ours.Kind() {
	case reflect.Struct:
		for i := range ours.NumField() {
			if field := ours.Type().Field(i); field.IsExported() {
				alike(t, path+"."+field.Name, ours.Field(i), theirs.Field(i))
			}
		}
	case reflect.Map, reflect.Slice:
		if ours.Len() != theirs.Len() {
			t.Errorf("%s has %d, upstream's %d", path, ours.Len(), theirs.Len())
		}
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan:
		if ours.IsNil() != theirs.IsNil() {
			t.Errorf("%s is nil: %v, upstream's: %v", path, ours.IsNil(), theirs.IsNil())
		}
	default:
		if ours.Comparable() && !ours.Equal(theirs) {
			t.Errorf("%s is %v, upstream's %v", path, ours, theirs)
		}
	}
}
