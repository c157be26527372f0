package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// featureGates is a library with the functions of k8s.io/component-base/featuregate that are known, and little in them.
const featureGates = `package featuregate

import (
	"errors"
	"maps"
	"sync"
)

type Feature string

type FeatureSpec struct{ Default, LockToDefault bool }

type featureGate struct {
	lock    sync.Mutex
	known   map[Feature]FeatureSpec
	enabled map[Feature]bool
}

func NewFeatureGate() *featureGate {
	return &featureGate{known: map[Feature]FeatureSpec{}, enabled: map[Feature]bool{}}
}

func (f *featureGate) Add(features map[Feature]FeatureSpec) { maps.Copy(f.known, features) }

func (f *featureGate) DeepCopy() *featureGate {
	return &featureGate{known: maps.Clone(f.known), enabled: maps.Clone(f.enabled)}
}

func (f *featureGate) SetFromMap(m map[string]bool) error { return f.SetFromMapWithLogger(nil, m) }

func (f *featureGate) SetFromMapWithLogger(logger any, m map[string]bool) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	for name, value := range m {
		spec, is := f.known[Feature(name)]
		if !is || spec.LockToDefault && spec.Default != value {
			return errors.New("cannot set feature gate " + name)
		}
		f.enabled[Feature(name)] = value
	}
	return nil
}

func (f *featureGate) Enabled(key Feature) bool {
	if v, is := f.enabled[key]; is {
		return v
	}
	return f.known[key].Default
}
`

// TestFeatureGates: gates are parameters by their constants; a value arrives where a gate is asked for, unless the gate
// is locked, or a test has set it.
func TestFeatureGates(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"go.mod":                 "module example.com/shop\n\ngo 1.24\n\nrequire k8s.io/component-base v0.36.0\n\nreplace k8s.io/component-base => ./base\n",
		"base/go.mod":            "module k8s.io/component-base\n\ngo 1.24\n",
		"base/featuregate/it.go": featureGates,
		"main.go": `package shop

import "k8s.io/component-base/featuregate"

const (
	Fast   featuregate.Feature = "Fast"
	Locked featuregate.Feature = "Locked"
)

var gates = func() interface {
	Enabled(featuregate.Feature) bool
	SetFromMap(map[string]bool) error
	SetFromMapWithLogger(any, map[string]bool) error
} {
	g := featuregate.NewFeatureGate()
	g.Add(map[featuregate.Feature]featuregate.FeatureSpec{Fast: {}, Locked: {Default: true, LockToDefault: true}})
	return g
}()

func steps() int {
	if gates.Enabled(Fast) {
		return 1
	}
	return 3
}
`,
		"main_test.go": `package shop

import "testing"

func TestSteps(t *testing.T) {
	if n := steps(); n != 3 {
		t.Error(n)
	}
}

func TestOwn(t *testing.T) {
	if gates.SetFromMap(map[string]bool{"Fast": true}) != nil || steps() != 1 {
		t.Error(steps())
	}
}

func TestOwnWithLogger(t *testing.T) {
	if gates.SetFromMapWithLogger(nil, map[string]bool{"Fast": true}) != nil || steps() != 1 {
		t.Error(steps())
	}
}

func TestLocked(t *testing.T) {
	if !gates.Enabled(Locked) {
		t.Error("it is open")
	}
}
`,
	}), "GOWORK=off")
	if want := []parameter.ID{"feature:Fast", "feature:Locked"}; !slices.Equal(b.sources.Declared, want) {
		t.Errorf("declared are %v, want %v", b.sources.Declared, want)
	}
	for _, c := range []struct {
		test   string
		inject map[parameter.ID]string
		want   string
		ends   run.Ending
	}{
		{"TestSteps", nil, "read feature:Fast=false", run.Passed},
		{"TestSteps", map[parameter.ID]string{"feature:Fast": "true"}, "gave feature:Fast=true, read feature:Fast=true", run.Failed},
		{"TestOwn", map[parameter.ID]string{"feature:Fast": "false"}, "read feature:Fast=true, set feature:Fast=true", run.Passed},
		{"TestOwnWithLogger", map[parameter.ID]string{"feature:Fast": "false"}, "read feature:Fast=true, set feature:Fast=true", run.Passed},
		{"TestLocked", map[parameter.ID]string{"feature:Locked": "false"}, "gave feature:Locked=false, read feature:Locked=true", run.Passed},
	} {
		o := b.run(t, c.test, c.inject)
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); got != c.want || o.Ending != c.ends {
			t.Errorf("%s with %v: %s with %s\nwant %s\n%s", c.test, c.inject, o.Ending, got, c.want, o.Output)
		}
		refused := slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Gave && e.At != "" })
		if refused != (c.test == "TestLocked") {
			t.Errorf("%s: the value is refused: %t", c.test, refused)
		}
	}
}
