package choose

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// many is a module of n tests in two packages that all read a parameter but for some; each tenth reads it at another place.
func many(n, not int) (*parameter.Map, []Change) {
	size, rare := parameter.ID("field:Config.size"), parameter.ID("field:Config.rare")
	m := &parameter.Map{Parameters: []parameter.Class{{ID: size}, {ID: rare}}, Packages: []parameter.Package{{Path: "a"}, {Path: "b"}}}
	for i := range n {
		t := parameter.Test{Name: fmt.Sprintf("Test%03d", i)}
		if i >= not {
			t.Reads, t.Ways = []parameter.ID{size}, map[parameter.ID]string{size: "open"}
			if i%10 == 0 {
				t.Ways[size] = fmt.Sprint("other", i)
			}
		}
		if i == n-1 {
			t.Reads = append(t.Reads, rare)
		}
		if i == n-2 {
			t.Optional = []parameter.ID{size}
		}
		p := &m.Packages[i%2]
		p.Tests = append(p.Tests, t)
	}
	changes := make([]Change, 2)
	for i, id := range []parameter.ID{size, rare} {
		class, _ := m.Class(id)
		changes[i].Class = &class
	}
	return m, changes
}

// TestCover: of what most tests read a fifth is run, with each place, each package, and those that say that they are about it; what few read is
// read by the same tests as before.
func TestCover(t *testing.T) {
	m, changes := many(200, 20)
	all := Tests(m, changes)
	some, left := Cover(m, changes, all, 0)
	if want := []Left{{Change: 0, Run: 40, All: 180, Places: true}}; !cmp.Equal(left, want) {
		t.Fatalf("left is %v, want %v", left, want)
	}
	ways, packages, names := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, s := range some {
		packages[s.Package]++
		names[s.Name] = true
		for _, p := range m.Packages {
			for _, of := range p.Tests {
				if of.Name == s.Name {
					ways[of.Ways["field:Config.size"]]++
				}
			}
		}
	}
	if len(some) != 40 || len(ways) != 19 || packages["a"] < 10 || packages["b"] < 10 || !names["Test199"] || !names["Test198"] {
		t.Errorf("%d tests, %d ways, of packages %v: %v", len(some), len(ways), packages, names)
	}
	again, _ := Cover(m, changes, all, 0)
	if !slices.EqualFunc(some, again, func(x, y Test) bool { return x.Name == y.Name }) {
		t.Error("another choice the second time")
	}
	if few, left := Cover(m, changes[1:], Tests(m, changes[1:]), 0); len(few) != 1 || len(left) != 0 {
		t.Errorf("of one test %v, %v", few, left)
	}
}

// TestCoverSmall: in a small module all are run; and where there are more places than may be run, that is said.
func TestCoverSmall(t *testing.T) {
	m, changes := many(20, 0)
	if some, left := Cover(m, changes, Tests(m, changes), 0); len(some) != 20 || len(left) != 0 {
		t.Errorf("%d tests, left %v", len(some), left)
	}
	m, changes = many(100, 0)
	for i := range m.Packages {
		for k := range m.Packages[i].Tests {
			m.Packages[i].Tests[k].Ways["field:Config.size"] = m.Packages[i].Tests[k].Name
		}
	}
	if some, left := Cover(m, changes, Tests(m, changes), 0); len(some) != 20 || len(left) != 1 || left[0].Places {
		t.Errorf("%d tests, left %v", len(some), left)
	}
}

// TestCoverLong: tests that are known to take long are left out by name, the longest first, but for the quickest that read a change and those that say that they are about it.
func TestCoverLong(t *testing.T) {
	m, changes := many(20, 0)
	for i := range m.Packages {
		for k := range m.Packages[i].Tests {
			m.Packages[i].Tests[k].Took = time.Duration(i+1) * time.Second
		}
	}
	some, left := Cover(m, changes, Tests(m, changes), 48*time.Second)
	names := map[string]bool{}
	for _, s := range some {
		names[s.Package+" "+s.Name] = true
	}
	// All are 120 s; ten of b are 80 s, of which that stays which is the only one that reads what is rare.
	if len(some) != 11 || !names["b Test019"] || !names["a Test018"] {
		t.Errorf("%d tests: %v", len(some), names)
	}
	if len(left) != 1 || left[0].Run != len(some) || left[0].All != 20 || len(left[0].Long) != 20-len(some) {
		t.Errorf("left is %v", left)
	}
	if some, left := Cover(m, changes, Tests(m, changes), time.Second); len(some) != 5 || left[0].Run != 5 {
		t.Errorf("however little time: %d tests, left %v", len(some), left)
	}
}
