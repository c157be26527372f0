package instrument_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestVariableAboveFile: a variable that a program loads into koanf behind its file is above what is given for the
// file, and below that of a file which is loaded behind it. Of what a test has in the place of the environment it is
// the same, and a variable that this does not have is as it is given.
func TestVariableAboveFile(t *testing.T) {
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(examples, "mailer"))); err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{
		"above.yaml": "server: {port: 1, host: a}\n",
		"above.go": `package main

import (
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

func variables(k *koanf.Koanf, environ func() []string) {
	_ = k.Load(env.Provider(".", env.Opt{Prefix: "APP_", EnvironFunc: environ, TransformFunc: func(s, v string) (string, any) {
		return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s, "APP_")), "_", "."), v
	}}), nil)
}

func files(k *koanf.Koanf) { _ = k.Load(file.Provider("above.yaml"), yaml.Parser()) }
`,
		"above_test.go": `package main

import (
	"testing"

	"github.com/knadh/koanf/v2"
)

func TestAbove(t *testing.T) {
	t.Setenv("APP_SERVER_PORT", "9")
	k := koanf.New(".")
	files(k)
	variables(k, nil)
	t.Fatal(k.Int("server.port"), k.String("server.host"))
}

func TestBelow(t *testing.T) {
	t.Setenv("APP_SERVER_PORT", "9")
	k := koanf.New(".")
	files(k)
	variables(k, nil)
	files(k)
	t.Fatal(k.Int("server.port"), k.String("server.host"))
}

func TestInstead(t *testing.T) {
	k := koanf.New(".")
	files(k)
	variables(k, func() []string { return []string{"APP_SERVER_HOST=mine", "OTHER=1"} })
	t.Fatal(k.Int("server.port"), k.String("server.host"))
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder, "GOWORK=off")
	port, host := parameter.ID("koanf:server.port"), parameter.ID("koanf:server.host")
	for _, c := range []struct {
		test, want string
		given      map[parameter.ID]string
	}{
		{"TestAbove", ": 9 b\n", map[parameter.ID]string{port: "7", host: `"b"`}},
		{"TestBelow", ": 7 b\n", map[parameter.ID]string{port: "7", host: `"b"`}},
		{"TestInstead", ": 7 mine\n", map[parameter.ID]string{port: "7", host: `"b"`}},
		{"TestInstead", ": 6 mine\n", map[parameter.ID]string{"env:APP_SERVER_PORT": "6", "env:APP_SERVER_HOST": "b"}},
	} {
		if o := b.run(t, c.test, c.given); !strings.Contains(o.Output, c.want) {
			t.Errorf("%s with %v has not %q\n%s\n%v", c.test, c.given, c.want, o.Output, o.Events)
		}
	}
}
