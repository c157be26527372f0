package settle_test

import (
	"context"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand"
	mathrand2 "math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/rand"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// drawThenRecord is createThenRecord with a name that the operator draws by itself.
func drawThenRecord(draw func() string) variant {
	return func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		if recorded(bar) != "" {
			return nil
		}
		foo := child(bar, "foo-"+draw(), "")
		if err := c.Create(ctx, foo); err != nil {
			return err
		}
		return record(ctx, c, bar, foo.GetName())
	}
}

// recordThenDrawn notes the name that it has drawn before it makes the child.
func recordThenDrawn(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	name := recorded(bar)
	if name == "" {
		name = "foo-" + rand.String(5)
		if err := record(ctx, c, bar, name); err != nil {
			return err
		}
	}
	err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: name}, thing(fooKind, ""))
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, child(bar, name, ""))
	}
	return err
}

// drawOnce has a child of a fixed name with a password that is drawn when it is made.
func drawOnce(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
	foo := thing(fooKind, "")
	err := c.Get(ctx, client.ObjectKey{Namespace: "default", Name: "foo"}, foo)
	if !apierrors.IsNotFound(err) {
		return err
	}
	foo = child(bar, "foo", "")
	_ = unstructured.SetNestedField(foo.Object, rand.String(12), "spec", "password")
	if err := c.Create(ctx, foo); err != nil {
		return err
	}
	return record(ctx, c, bar, "foo")
}

// TestChance: operators that draw names and passwords come to what they would come to if the API
// server drew them.
func TestChance(t *testing.T) {
	short := func() string { return rand.String(5) }
	for _, row := range []struct {
		name   string
		way    variant
		faults settle.Faults
		want   string
	}{
		{"create, then record", drawThenRecord(short), settle.Faults{}, "holds"},
		{"create, then record", drawThenRecord(short), settle.Faults{Crash: true}, "S8"},
		{"create, then record", drawThenRecord(short), settle.Faults{Timeout: true}, "S7"},
		{"create, then record", drawThenRecord(short), settle.Faults{Crash: true, Late: true}, "S8"},
		{"create, then record", drawThenRecord(short), settle.Faults{Evict: true}, "K8"},
		{"create, then record", drawThenRecord(short), settle.Faults{Stale: true}, "S9"},
		{"create, then record, by UUID", drawThenRecord(uuid.NewString), settle.Faults{Crash: true}, "S8"},
		{"record, then create", recordThenDrawn, settle.Faults{}, "holds"},
		{"record, then create", recordThenDrawn, settle.Faults{Crash: true}, "holds"},
		{"record, then create", recordThenDrawn, settle.Faults{Timeout: true}, "holds"},
		{"record, then create", recordThenDrawn, settle.Faults{Crash: true, Late: true}, "holds"},
		{"record, then create", recordThenDrawn, settle.Faults{Evict: true}, "holds"},
		{"a password", drawOnce, settle.Faults{Evict: true}, "holds"},
		{"a password", drawOnce, settle.Faults{Crash: true}, "K9"},
	} {
		c := config(row.way, row.faults)
		if row.faults.Stale {
			c = caching(c)
		}
		r, err := settle.Explore(t.Context(), c)
		if err != nil {
			t.Errorf("%s, %+v: %v", row.name, row.faults, err)
			continue
		}
		// settle export refuses such traces by these words.
		if !slices.ContainsFunc(r.Report("").Assumptions, func(a string) bool { return strings.Contains(a, "what a reconcile draws") }) {
			t.Errorf("it is not said that something is drawn: %s", r)
		}
		if got := outcome(r); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s, %+v: got %s, want %s: %s", row.name, row.faults, got, row.want, r)
		}
	}
}

// TestChanceWithoutMatch: what is drawn differs in what it comes to.
func TestChanceWithoutMatch(t *testing.T) {
	c := config(drawOnce, settle.Faults{})
	c.Match, c.Always = nil, nil
	if _, err := settle.Explore(t.Context(), c); err == nil || !strings.Contains(err.Error(), "reconcilers draw names or numbers") {
		t.Errorf("got %v", err)
	}
}

// TestChanceUnderFaults: it is found out late that something is drawn, with what the cluster comes to known
// already.
func TestChanceUnderFaults(t *testing.T) {
	c := config(func(ctx context.Context, c client.Client, bar *unstructured.Unstructured) error {
		err := c.Create(ctx, child(bar, "foo", ""))
		if apierrors.IsTimeout(err) {
			return c.Create(ctx, child(bar, "foo-"+rand.String(5), ""))
		}
		return client.IgnoreAlreadyExists(err)
	}, settle.Faults{Timeout: true})
	c.Match, c.Always = nil, nil
	if r, err := settle.Explore(t.Context(), c); err == nil || !strings.Contains(err.Error(), "reconcilers draw names or numbers, with which it is another each time: give a Match") {
		t.Errorf("got %v, %v", r, err)
	}
}

// TestChanceOfGo: what Go draws is in nobody's hands, and is named with what to draw from instead.
func TestChanceOfGo(t *testing.T) {
	for name, draw := range map[string]func() string{
		"math/rand":    func() string { return fmt.Sprint(mathrand.Uint32()) },
		"math/rand/v2": func() string { return fmt.Sprint(mathrand2.Uint32()) },
		"crypto/rand":  func() string { return strings.ToLower(cryptorand.Text()) },
		"a field of the reconciler": func() func() string {
			source := mathrand2.New(mathrand2.NewPCG(1, 2))
			return func() string { return fmt.Sprint(source.Uint32()) }
		}(),
	} {
		c := config(drawThenRecord(draw), settle.Faults{})
		r, err := settle.Explore(t.Context(), c)
		for _, want := range []string{"settle: bar, reconcile default/a: the reconcile is not the same when it is run again with the same answers", "math/rand", "crypto/rand", "GenerateName", "k8s.io/apimachinery/pkg/util/rand"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: there is no %q in %v, %v", name, want, r, err)
			}
		}
	}
}

// TestChanceRemembered: what is remembered of what was drawn is not drawn again: an operator that has a token of
// its own, and gives each child another, never gives its own.
func TestChanceRemembered(t *testing.T) {
	way := func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
		if len(b.seen) == 0 {
			b.seen[rand.String(5)]++
			return errors.New("once more")
		}
		foo := child(bar, "x", "")
		if token := rand.String(5); b.seen[token] > 0 {
			foo.SetAnnotations(map[string]string{"taken": token})
		}
		return client.IgnoreAlreadyExists(b.Create(ctx, foo))
	}
	c := reconciling(way, remembering)
	c.Always = map[string]func(context.Context, client.Reader) error{"not taken": func(ctx context.Context, c client.Reader) error {
		foo := thing(fooKind, "x")
		if err := c.Get(ctx, client.ObjectKeyFromObject(foo), foo); err == nil && foo.GetAnnotations() != nil {
			return errors.New("it is drawn again")
		}
		return nil
	}}
	if r, err := settle.Explore(t.Context(), c); err != nil || outcome(r) != "holds" {
		t.Errorf("got %v, %v", r, err)
	}
}

// TestSetupDraws: a process that begins again would have drawn something else.
func TestSetupDraws(t *testing.T) {
	c := reconciling(func(b *barReconciler, ctx context.Context, bar *unstructured.Unstructured) error {
		foo := child(bar, "x", "")
		foo.SetAnnotations(map[string]string{"by": b.nested.names[0]})
		return client.IgnoreAlreadyExists(b.Create(ctx, foo))
	}, func(b *barReconciler) reconcile.Reconciler {
		b.nested.names = []string{uuid.NewString()}
		return b
	})
	c.Workers = 1
	r, err := settle.Explore(t.Context(), c)
	if want := "settle: Setup makes other reconcilers when it is called again: of bar, settle_test.barReconciler.nested.names[0] is "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, %v", r, err)
	}
}
