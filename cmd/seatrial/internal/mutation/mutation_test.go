package mutation

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNames holds the list to the lines in the source: each name is used, and
// each use has a name.
func TestNames(t *testing.T) {
	use := regexp.MustCompile(`mutation\.On\("([^"]+)"\)`)
	var used []string
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || filepath.Dir(path) == filepath.Join("..", "mutation") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range use.FindAllSubmatch(text, -1) {
			used = append(used, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(used)
	if diff := cmp.Diff(Names(), slices.Compact(used)); diff != "" {
		t.Errorf("names and uses (-names +uses):\n%s", diff)
	}
	for _, name := range Names() {
		if Description(name) == "" {
			t.Errorf("%s has no description", name)
		}
	}
}
