package configtest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestOpened: a test of a package below that opens the file which is shipped is known to read it, also where it shares a process.
func TestOpened(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n", "config.yaml": "a: 1\n",
		"internal/app/app_test.go": "package app\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestFile(t *testing.T) {\n\tif _, err := os.ReadFile(\"../../config.yaml\"); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n\nfunc TestNothing(t *testing.T) {}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := begin(t.Context(), options(t, folder, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	m, err := s.mapped(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range m.Packages[0].Tests {
		if got := slices.Contains(test.Reads, parameter.New(parameter.File, "config.yaml")); got != (test.Name == "TestFile") {
			t.Errorf("%s reads %v", test.Name, test.Reads)
		}
	}
}
