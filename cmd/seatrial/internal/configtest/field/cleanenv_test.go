package field_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// cleanenv is a library with the functions of github.com/ilyakaznacheev/cleanenv that are known, and little in them.
const cleanenv = `package cleanenv

import (
	"encoding/json"
	"io"
	"os"
	"reflect"
	"strconv"
)

func ReadConfig(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := ParseYAML(f, into); err != nil {
		return err
	}
	return ReadEnv(into)
}

func ParseYAML(r io.Reader, into any) error { return json.NewDecoder(r).Decode(into) }

func ReadEnv(into any) error {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		if text, is := os.LookupEnv(v.Type().Field(i).Tag.Get("env")); is {
			n, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			v.Field(i).SetInt(int64(n))
		}
	}
	return nil
}
`

// TestCleanenv: what a library decodes from a file, and from the environment, comes by its keys, below the variables.
func TestCleanenv(t *testing.T) {
	folder := module(t, map[string]string{
		"go.mod":               "module example.com/shop\n\ngo 1.24\n\nrequire github.com/ilyakaznacheev/cleanenv v1.5.0\n\nreplace github.com/ilyakaznacheev/cleanenv => ./cleanenv\n",
		"cleanenv/go.mod":      "module github.com/ilyakaznacheev/cleanenv\n\ngo 1.24\n",
		"cleanenv/cleanenv.go": cleanenv,
		"shop.go": `package shop

import "github.com/ilyakaznacheev/cleanenv"

type Config struct {
	Conns int ` + "`yaml:\"max_conns\" json:\"max_conns\" env:\"MAX_CONNS\"`" + `
	Wait  int ` + "`yaml:\"wait\" json:\"wait\" env:\"WAIT\"`" + `
}

func Load(path string) (*Config, error) {
	c := &Config{Wait: 3}
	if path == "" {
		return c, cleanenv.ReadEnv(c)
	}
	return c, cleanenv.ReadConfig(path, c)
}
`,
		"shop_test.go": `package shop

import (
	"os"
	"testing"
)

func load(t *testing.T, path string) {
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = c.Conns, c.Wait
}

func TestShipped(t *testing.T) { load(t, "shop.yaml") }

func TestOwn(t *testing.T) {
	path := t.TempDir() + "/own.yaml"
	if err := os.WriteFile(path, []byte("{\"wait\": 5}"), 0o600); err != nil {
		t.Fatal(err)
	}
	load(t, path)
}

func TestVariable(t *testing.T) {
	t.Setenv("MAX_CONNS", "4")
	load(t, "shop.yaml")
}
`,
	})
	if err := os.WriteFile(filepath.Join(folder, "shop.yaml"), []byte(`{"max_conns": 1, "wait": 2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := build(t, folder, "GOWORK=off")
	for name, want := range map[string]string{
		"TestShipped":  "read max_conns=7, read wait=8",
		"TestOwn":      "read max_conns=7, read wait=5, set wait=5",
		"TestVariable": "read max_conns=4, read wait=8, set env:MAX_CONNS=4",
	} {
		o := b.run(t, name, map[parameter.ID]string{"field:shop.Config": `{"max_conns": 7, "wait": 8}`})
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}
