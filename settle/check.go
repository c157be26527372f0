package settle

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/statespace"
)

// Check explores what Config describes and fails the test if it is not eventually stable,
// with the shortest way there.
func Check(t testing.TB, c Config) {
	t.Helper()
	r, err := Explore(t.Context(), c)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Verdict != statespace.Holds:
		t.Errorf("\n%s", r.text(t.Name()))
	default:
		t.Logf("\n%s", r.text(t.Name()))
	}
}

// quiet keeps from the test's output what kube-apiserver's code and each of a thousand runs of
// a reconcile would log.
var quiet = sync.OnceFunc(func() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
})

// Explore is Check without a test.
func Explore(ctx context.Context, c Config) (*Result, error) {
	quiet()
	x, err := newExplorer(&c)
	if err != nil {
		return nil, err
	}
	defer x.close()
	all, err := x.properties()
	if err != nil {
		return nil, err
	}
	properties := make([]statespace.Property[[]statespace.ID], len(all))
	for i, p := range all {
		properties[i] = x.property(p)
	}
	classes := []statespace.Class{{Name: "faults and users"}}
	for i := 1; i < classesMax; i++ {
		classes = append(classes, statespace.Class{Name: fmt.Sprint(i), Fairness: statespace.Weak})
	}
	most := c.MaxStates
	if most == 0 {
		most = maxStates
	}
	begun := time.Now()
	found, err := statespace.CheckVectors(ctx, x, properties, statespace.Options{Classes: classes, Workers: c.Workers, MaxStates: most})
	if wrong := x.failed(); wrong != nil {
		return nil, wrong
	}
	if err != nil {
		return nil, err
	}
	r := x.result(all, &found)
	r.Took = time.Since(begun)
	return r, nil
}
