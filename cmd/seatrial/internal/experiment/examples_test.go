package experiment_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
)

// comment and name are what the two experiments of a pair need not share.
var comment, name = regexp.MustCompile(`(?m)^#.*\n`), regexp.MustCompile(`(?m)^metadata: .*\n`)

// TestControllerManagerPairs: the experiments with controllers of kube-controller-manager
// are read, and the two of a pair differ in one feature gate.
func TestControllerManagerPairs(t *testing.T) {
	folder := "../../../../examples/kube-controller-manager"
	files, err := filepath.Glob(folder + "/*.yaml")
	if err != nil || len(files) != 8 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		e, err := experiment.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(file), ".yaml")
		kind, consistent := strings.CutSuffix(base, "-consistent")
		if e.Metadata.Name != base {
			t.Errorf("%s is named %q", file, e.Metadata.Name)
		}
		if !slices.Contains(e.Controller.Command, "--controllers="+kind+"-controller") || !slices.Contains(e.Plane.Controllers, "-"+kind+"-controller") {
			t.Errorf("%s runs %q beside %q", file, e.Controller.Command, e.Plane.Controllers)
		}
		if !consistent {
			continue
		}
		with, without := read(t, file), read(t, filepath.Join(folder, kind+".yaml"))
		if strings.Replace(with, "=true]", "=false]", 1) != without || with == without {
			t.Errorf("%s differs from %s.yaml in more than its gate", file, kind)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return name.ReplaceAllString(comment.ReplaceAllString(string(text), ""), "")
}
