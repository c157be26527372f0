package configtest

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestKeptOf: what tests were seen to do is kept of the content that their program had when they began: the next
// packages are compiled meanwhile, and nobody who runs tests looks into what that changes.
func TestKeptOf(t *testing.T) {
	s := &session{
		Options: Options{Cache: t.TempDir()}, module: &run.Module{Directory: t.TempDir()}, sources: &field.Sources{}, contents: map[string]string{"a": "one"},
	}
	p := run.Package{Path: "example.com/a", Name: "a", Tests: []string{"TestA"}}
	w := &watching{session: s, of: map[string]*seen{"a": {Package: p}}, keys: map[string]string{}}
	if !w.runs(p, "") {
		t.Fatal("its tests are known")
	}
	key := s.contentKey(p)
	s.contents["a"] = "two"
	w.saw(run.Program{Package: p}, map[string]*run.Outcome{"TestA": {Ending: run.Passed}})
	if o, is := cache(s.Cache).observed(s.module, byContent, key); !is || len(o.Observations) != 1 {
		t.Errorf("there is %v of it", o.Observations)
	}
}
