package configtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestMade: files that tests leave in the module are no parameters of it, whether they were there before or not; the
// map is the same text afterwards. Those that are shipped are, and so are those that nobody has made.
func TestMade(t *testing.T) {
	pace.Slow(t)
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example.com/ledger\n\ngo 1.25\n", "config.yaml": "a: 1\n", "data/old/00000001": "left\n", ".gitignore": "/data/\n",
		"ledger.go": "package ledger\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc Segment(folder, name string) ([]byte, error) {\n\treturn os.ReadFile(filepath.Join(folder, name))\n}\n",
		"ledger_test.go": `package ledger

import (
	"os"
	"testing"
)

func TestAppend(t *testing.T) {
	os.MkdirAll("journal", 0o700)
	os.WriteFile("journal/00000002", []byte("2"), 0o600)
	os.WriteFile("journal/state.json", []byte("{}"), 0o600)
	if _, err := Segment("journal", "00000002"); err != nil {
		t.Fatal(err)
	}
}

func TestOld(t *testing.T) {
	if _, err := Segment("data/old", "00000001"); err != nil {
		t.Fatal(err)
	}
}

func TestShipped(t *testing.T) {
	if _, err := os.ReadFile("config.yaml"); err != nil {
		t.Fatal(err)
	}
	Segment("keys", "token")
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := exec.CommandContext(t.Context(), "git", "init", "-q", folder).Run(); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i := range texts {
		m, err := Map(t.Context(), options(t, folder, t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		text, err := m.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
		var ids []parameter.ID
		for _, c := range m.Parameters {
			ids = append(ids, c.ID)
		}
		if len(ids) != 2 || ids[0] != "file:config.yaml" || ids[1] != "file:keys/token" {
			t.Errorf("time %d: the parameters are %v", i+1, ids)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("the map was\n%s\nand is\n%s", texts[0], texts[1])
	}
}
