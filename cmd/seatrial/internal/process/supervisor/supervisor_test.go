package supervisor

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestItComesEarly: what a supervisor needs is initialised before what comes behind it in the order of paths. With one
// of these packages it would be the last of hundreds.
func TestItComesEarly(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	needs := strings.Fields(string(out))
	if !slices.Contains(needs, "encoding/json") {
		t.Fatalf("it needs %v", needs)
	}
	for _, late := range []string{"os/exec", "net", "text/template", "regexp", "context", "log"} {
		if slices.Contains(needs, late) {
			t.Errorf("it needs %s, which comes late", late)
		}
	}
	for _, path := range needs {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && path != "golang.org/x/sys/unix" && !strings.HasSuffix(path, "/process/supervisor") {
			t.Errorf("it needs %s, which is of another module", path)
		}
	}
}
