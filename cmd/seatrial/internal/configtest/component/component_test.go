package component

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// files writes files below a folder, by their names; a file ends where the next name stands, as in txtar.
func files(t *testing.T, folder, text string) {
	t.Helper()
	for _, one := range strings.Split("\n"+text, "\n-- ")[1:] {
		name, content, _ := strings.Cut(one, " --\n")
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if content != "" && !strings.HasSuffix(content, "\n") {
			content += "\n"
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRead: a file of components, and what is wrong with one.
func TestRead(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("deploy/web", 0o700); err != nil {
		t.Fatal(err)
	}
	const head = "apiVersion: seatrial.dev/v1alpha1\nkind: Components\n"
	for _, c := range []struct{ text, want string }{
		{head + "components:\n- {image: r.example.com:5000/a/web, module: web}\n- {image: b, module: web, name: back, packages: [./x], config: --config, main: ./cmd}\n", ""},
		{head, "c.yaml:1: it has no components"},
		{"components: []\n", `c.yaml:1: it is "" of "": write kind: Components`},
		{head + "components:\n- {image: web}\n", "c.yaml:4: a component has an image and a module"},
		{head + "components:\n- {image: 'web:1', module: web}\n", "c.yaml:4: the image web:1 has a tag or a digest: write web"},
		{head + "components:\n- {image: web, modul: web}\n", "c.yaml:4: this is no component: "},
		{head + "components:\n- {image: web, module: none}\n", "c.yaml:4: the module of web is deploy/none, and there is no such folder"},
		{head + "components:\n- {image: web, module: web}\n- {image: web, module: web, name: b}\n", "c.yaml:5: the image web is on line 4, too"},
	} {
		if err := os.WriteFile("deploy/c.yaml", []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := Read("deploy/c.yaml")
		if c.want == "" {
			if err != nil || len(all) != 2 || all[0].Name != "web" || all[0].Module != filepath.Join("deploy", "web") || all[0].Packages[0] != "./..." || all[1].Name != "back" || all[1].Packages[0] != "./x" {
				t.Errorf("%+v, %v", all, err)
			}
			continue
		}
		if err == nil || !strings.HasPrefix(err.Error(), "deploy/"+c.want) {
			t.Errorf("the error is %v, want %s", err, c.want)
		}
	}
}

// TestRepository: an image without what says which.
func TestRepository(t *testing.T) {
	for image, want := range map[string]string{
		"web": "web", "web:1": "web", "r.example.com:5000/web": "r.example.com:5000/web", "r.example.com:5000/web:1@sha256:ab": "r.example.com:5000/web",
	} {
		if got := Repository(image); got != want {
			t.Errorf("%s is of %s, want %s", image, got, want)
		}
	}
}
