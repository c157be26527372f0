package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

const ownDocuments = `package shop

import (
	"bytes"
	"embed"
	"encoding/json"
	"io"
	"os"
	"strings"
)

//go:embed defaults.json
var defaults []byte

//go:embed *.json
var folder embed.FS

const written = "{\n\"wait\": 2}"

type Config struct {
	Wait  int ` + "`json:\"wait\"`" + `
	Tries int ` + "`json:\"tries\"`" + `
}

func decode(r io.Reader, c *Config) error {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	return d.Decode(c)
}

func Layers(text string) (*Config, error) {
	c := &Config{}
	if err := decode(bytes.NewReader(defaults), c); err != nil || text == "" {
		return c, err
	}
	return c, decode(strings.NewReader(text), c)
}

func Written() (*Config, error) {
	c := &Config{}
	return c, decode(strings.NewReader(written), c)
}

func Folder() (*Config, error) {
	c := &Config{}
	data, err := folder.ReadFile("defaults.json")
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal(data, c)
}

// Either has one text, of the program or of a file.
func Either(file string) (*Config, error) {
	data := defaults
	if file != "" {
		var err error
		if data, err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	c := &Config{}
	return c, json.Unmarshal(data, c)
}

func Parse(text string) (*Config, error) {
	c := &Config{}
	return c, json.Unmarshal([]byte(text), c)
}

func Print(w io.Writer) { w.Write(defaults) }
`

const ownDocumentsTests = `package shop

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

func use(...any) {}

func check(t *testing.T, c *Config, err error) {
	if err != nil {
		t.Fatal(err)
	}
	use(c.Wait)
}

func TestDefaults(t *testing.T) { c, err := Layers(""); check(t, c, err) }

func TestText(t *testing.T) { c, err := Layers("{\"wait\": 8}"); check(t, c, err) }

func TestWritten(t *testing.T) { c, err := Written(); check(t, c, err) }

func TestFolder(t *testing.T) { c, err := Folder(); check(t, c, err) }

func TestEither(t *testing.T) { c, err := Either(""); check(t, c, err) }

func TestEitherFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	if err := os.WriteFile(path, []byte("{\"wait\": 8}"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Either(path)
	check(t, c, err)
}

func TestPrinted(t *testing.T) {
	Print(io.Discard)
	c, err := Parse("{\"wait\": 8}")
	check(t, c, err)
}
`

// TestOwnDocuments: what is decoded of a text of the program itself is set by no test, whichever way it takes to the
// decoder. A text of the test is, also where the program has written out its own one before.
func TestOwnDocuments(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"defaults.json": "{\"wait\": 2}\n",
		"shop.go":       ownDocuments,
		"shop_test.go":  ownDocumentsTests,
	}), "GOWORK=off")
	for test, want := range map[string]string{
		"TestDefaults":   "gave wait=5, read wait=5",
		"TestText":       "gave wait=5, read wait=8, set wait=8",
		"TestWritten":    "gave wait=5, read wait=5",
		"TestFolder":     "gave wait=5, read wait=5",
		"TestEither":     "gave wait=5, read wait=5",
		"TestEitherFile": "gave wait=5, read wait=8, set wait=8",
		"TestPrinted":    "gave wait=5, read wait=8, set wait=8",
	} {
		o := b.run(t, test, map[parameter.ID]string{"field:shop.Config": `{"wait": 5}`})
		if got := strings.Join(short(o, record.Read, record.Set, record.Gave), ", "); got != want || o.Ending != run.Passed {
			t.Errorf("%s %s with %s\nwant %s\n%s", test, o.Ending, got, want, o.Output)
		}
	}
}
