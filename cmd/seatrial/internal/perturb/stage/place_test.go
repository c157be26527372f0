package stage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// What the API server refuses of a setup is named where it stands.
func TestSetupErrorIsPlaced(t *testing.T) {
	file := filepath.Join(t.TempDir(), "setup.yaml")
	text := `# who may do what
apiVersion: v1
kind: ServiceAccount
metadata: {name: op, namespace: shop}
---

apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: op, namespace: shop}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var given experiment.Manifests
	if err := given.Add([]string{file}); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("apply it: refused")
	elsewhere := history.Object{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "shop"}}
	for _, c := range []struct {
		name, want string
		err        error
	}{
		{"the first", file + ":2", &ObjectError{given.Objects[0], refused}},
		{"the second", file + ":7", fmt.Errorf("plane 1: %w", &ObjectError{given.Objects[1], refused})},
		{"one that stands in no file", "experiment.yaml", &ObjectError{elsewhere, refused}},
		{"no object", "experiment.yaml", refused},
	} {
		if got := (&SetupError{c.err}).Place(given, "experiment.yaml"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
