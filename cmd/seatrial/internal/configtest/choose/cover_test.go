package choose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// many is a module of n tests in two packages that all read a parameter but for some; each tenth reads it at another
// place.
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

// TestCover: of what most tests read a fifth is run, with each place, each package, and those that say that they are
// about it; what few read is read by the same tests as before.
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

// TestCoverLong: tests that are known to take long are left out by name, the longest first and of those that take as
// long the last ones, but for the quickest that read a change and those that say that they are about it.
func TestCoverLong(t *testing.T) {
	m, changes := many(20, 0) // Test018 says that it is about the first parameter, and only Test019 reads the second
	took := func(a, b time.Duration) {
		for i, d := range []time.Duration{a, b} {
			for k := range m.Packages[i].Tests {
				m.Packages[i].Tests[k].Took = d
			}
		}
	}
	cover := func(budget time.Duration) (names []string, left []Left) {
		some, left := Cover(m, changes, Tests(m, changes, "config.yaml"), budget)
		for _, s := range some {
			names = append(names, strings.TrimPrefix(s.Name, "Test"))
		}
		return names, left
	}
	all := []string{"000", "002", "004", "006", "008", "010", "012", "014", "016", "018", "001", "003", "005", "007", "009", "011", "013", "015", "017", "019"}
	took(time.Second, 2*time.Second) // 24 s but for what is run in any case
	for budget, want := range map[time.Duration][]string{
		0: all, 24 * time.Second: all,
		23 * time.Second: slices.Concat(all[:18], all[19:]),
		18 * time.Second: slices.Concat(all[:16], all[19:]),
		6 * time.Second:  slices.Concat(all[:10], all[19:]),
		4 * time.Second:  slices.Concat(all[:7], all[9:10], all[19:]),
		1:                slices.Concat(all[:3], all[9:10], all[19:]),
	} {
		names, left := cover(budget)
		if !cmp.Equal(names, want) {
			t.Errorf("in %v %v, want %v", budget, names, want)
		}
		if out := len(all) - len(want); out > 0 && (len(left) != 1 || left[0].Run != len(want) || left[0].All != len(all) || len(left[0].Long) != out) {
			t.Errorf("in %v left is %v", budget, left)
		}
	}
	slices.Reverse(changes)
	if names, _ := cover(1); !cmp.Equal(names, slices.Concat(all[:3], all[9:10], all[19:])) {
		t.Errorf("with the changes in another order %v", names)
	}
	slices.Reverse(changes)
	took(2*time.Second, time.Second)
	if names, _ := cover(9 * time.Second); !cmp.Equal(names, slices.Concat(all[:1], all[9:])) {
		t.Errorf("the longest are the first ones: %v", names)
	}
	if names, _ := cover(1); !cmp.Equal(names, slices.Concat(all[9:13], all[19:])) {
		t.Errorf("it is about it, and takes long: %v", names)
	}
	for i, file := range map[int]int{0: 8, 1: 4} { // 016 and 009 open the file, and 009 takes longer
		m.Packages[i].Tests[file].Reads = append(m.Packages[i].Tests[file].Reads, "file:config.yaml")
	}
	took(time.Second, 2*time.Second)
	changes = changes[:1]
	if names, _ := cover(1); !cmp.Equal(names, slices.Concat(all[:3], all[8:10])) {
		t.Errorf("with those that open the file %v", names)
	}
}
