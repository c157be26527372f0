package run

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestUnlisted: what the go command cannot read is a problem, and not a package without tests.
func TestUnlisted(t *testing.T) {
	folder := write(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "a_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n"})
	m, err := Find(t.Context(), folder, "", os.Environ(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Packages(t.Context(), []string{".", "example.com/none"}, "")
	if err != nil || len(all) != 2 || !strings.Contains(all[0].Problem, "example.com/none") || all[1].Problem != "" {
		t.Errorf("%+v, %v", all, err)
	}
	all, err = m.Packages(t.Context(), []string{"fmt"}, "")
	if err != nil || len(all) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestProblem: what the go command says to do about it is said, too.
func TestProblem(t *testing.T) {
	const missing = "# example.com/a\na.go:6:2: missing go.sum entry for b; to add:\n\tgo get example.com/a\n# example.com/c\nc.go:1:1: no\nc.go:2:1: neither\n"
	for of, want := range map[string]string{"example.com/a": "a.go:6:2: missing go.sum entry for b; to add: go get example.com/a", "example.com/c": "c.go:1:1: no", "example.com/d": ""} {
		if got := problem(missing, of, false); got != want {
			t.Errorf("of %s is said %q", of, got)
		}
	}
}

// TestListed: examples that say what they print run with the tests, and so do the seeds of fuzz tests; benchmarks do
// not, and neither do helpers.
func TestListed(t *testing.T) {
	folder := write(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.24\n", "a_test.go": `package shop

import (
	"fmt"
	"testing"
)

func BenchmarkA(b *testing.B) {}

func ExampleNothing() {
	// Output:
}

func ExampleSilent() { fmt.Println(1) }

func Example_sorted() {
	fmt.Println(1)
	// Unordered output: 1
}

func FuzzA(f *testing.F)   { f.Fuzz(func(t *testing.T, s string) {}) }
func Fuzzy(f *testing.F)   {}
func FuzzT(t *testing.T)   {}
func TestA(t *testing.T)   {}
func TestF(f *testing.F)   {}
func Testing(t *testing.T) {}
`})
	m, err := Find(t.Context(), folder, "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := m.Packages(t.Context(), []string{"."}, "")
	if err != nil || len(all) != 1 || !slices.Equal(all[0].Tests, []string{"ExampleNothing", "Example_sorted", "FuzzA", "TestA"}) {
		t.Errorf("%+v, %v", all, err)
	}
}
