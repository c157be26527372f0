package input

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const manual = "../../../../../docs/campaign.md"

func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheManualLoads: the campaigns of the manual are read, beside the files that they name.
func TestTheManualLoads(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"config/crd/web.yaml":     strings.Replace(crd, "secretName: {type: string}", "version: {type: string}\n              podOverrides: {type: object, x-kubernetes-preserve-unknown-fields: true}", 1),
		"config/rbac/role.yaml":   "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: op}\n",
		"config/samples/web.yaml": seed,
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	blocks := strings.Split(page(t), "```yaml\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("there is no example")
	}
	for i, block := range blocks {
		text, _, _ := strings.Cut(block, "\n```")
		if _, err := Parse(Flags{}, "campaign.yaml", "campaign", folder, []byte(text)); err != nil {
			t.Errorf("example %d:\n%s\n%v", i+1, text, err)
		}
	}
}

// TestTheManualHasEveryField: each field that a file may have stands in a table of the manual.
// What a controller and a plane have stands in that of perturb.
func TestTheManualHasEveryField(t *testing.T) {
	text, fields := page(t), 0
	for _, of := range []reflect.Type{reflect.TypeFor[document](), reflect.TypeFor[Oracle]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			if name == "" {
				continue
			}
			fields++
			if !regexp.MustCompile("(?m)^\\| (`[a-zA-Z]+`, )*`" + name + "[`.]").MatchString(text) {
				t.Errorf("%s.%s has no row", of.Name(), name)
			}
		}
	}
	for _, name := range Variables {
		if !strings.Contains(text, "\n| `"+name+"` | ") {
			t.Errorf("the variable %s has no row", name)
		}
	}
	if fields < 20 {
		t.Errorf("only %d fields were found", fields)
	}
}
