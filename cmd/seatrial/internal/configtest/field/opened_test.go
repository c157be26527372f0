package field_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestGivenFiles: JSON that one function opens and another one decodes is a configuration, whatever its type is called;
// what comes from elsewhere is none.
func TestGivenFiles(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"os"
)

type Policy struct{ Port int }

func Parse(text []byte) (*Policy, error) {
	var p Policy
	return &p, json.Unmarshal(text, &p)
}

func Load(path string) (*Policy, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

type Service struct{ Name string }

func read(r io.Reader) (*Service, error) {
	s := &Service{}
	return s, json.NewDecoder(r).Decode(s)
}

func LoadService(of fs.FS) (*Service, error) {
	f, err := of.Open("service.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f)
}

type Order struct{ N int }

func Handle(r *http.Request) (*Order, error) { return order(r.Body) }

func order(r io.Reader) (*Order, error) {
	o := &Order{}
	return o, json.NewDecoder(r).Decode(o)
}
`,
		"shop_test.go": `package shop

import (
	"os"
	"testing"
)

func TestOrder(t *testing.T) {
	f, err := os.Open("testdata/order.json")
	if err == nil {
		order(f)
	}
}
`,
	}), "GOWORK=off")
	var got []parameter.ID
	for _, r := range b.sources.Roots {
		got = append(got, r.ID)
	}
	if diff := cmp.Diff([]parameter.ID{"field:shop.Policy", "field:shop.Service"}, got); diff != "" {
		t.Errorf("types (-want +got):\n%s", diff)
	}
}

// TestByExtension: a decoder that is chosen by the extension, and called by a variable, is one of those that the
// package has.
func TestByExtension(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"path/filepath"
)

type Config struct {
	Conns int ` + "`json:\"max_conns\"`" + `
}

var decoders = map[string]func([]byte, any) error{".json": json.Unmarshal}

func Load(name string, text []byte) (*Config, error) {
	c := &Config{}
	decode := decoders[filepath.Ext(name)]
	if err := decode(text, c); err != nil {
		return nil, err
	}
	return c, nil
}
`,
		"shop_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c, err := Load("a.json", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Conns
}

func TestOwn(t *testing.T) {
	c, err := Load("a.json", []byte("{\"max_conns\": 9}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Conns
}
`,
	}), "GOWORK=off")
	for name, want := range map[string]string{"TestIt": "read max_conns=7", "TestOwn": "read max_conns=9, set max_conns=9"} {
		o := b.run(t, name, map[parameter.ID]string{"field:shop.Config": `{"max_conns": 7}`})
		if got := strings.Join(short(o, record.Read, record.Set), ", "); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
}
