package instrument_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestVariableAboveFile: a variable that a program loads into koanf behind its file is above what is given for the file, and below that of a file which is loaded behind it.
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

func variables(k *koanf.Koanf) {
	_ = k.Load(env.Provider(".", env.Opt{Prefix: "APP_", TransformFunc: func(s, v string) (string, any) {
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
	variables(k)
	t.Fatal(k.Int("server.port"), k.String("server.host"))
}

func TestBelow(t *testing.T) {
	t.Setenv("APP_SERVER_PORT", "9")
	k := koanf.New(".")
	files(k)
	variables(k)
	files(k)
	t.Fatal(k.Int("server.port"), k.String("server.host"))
}
`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder, "GOWORK=off")
	for test, want := range map[string]string{"TestAbove": ": 9 b\n", "TestBelow": ": 7 b\n"} {
		if o := b.run(t, test, map[parameter.ID]string{"koanf:server.port": "7", "koanf:server.host": `"b"`}); !strings.Contains(o.Output, want) {
			t.Errorf("%s has not %q\n%s\n%v", test, want, o.Output, o.Events)
		}
	}
}
