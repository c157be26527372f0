package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// TestGenericLoaders: what a generic function or a method of a generic type decodes is of the types that those say who
// name it, whether they call it or hand it on, and also behind pointers and conversions. What is decoded of a file is a
// configuration, whatever it is called.
func TestGenericLoaders(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"os"
)

type Loader[T any] struct {
	path  string
	value T
}

func New[T any](path string) *Loader[T] { return &Loader[T]{path: path} }

func (l *Loader[T]) text() ([]byte, error) { return os.ReadFile(l.path) }

func (l *Loader[T]) Load() (*T, error) {
	text, err := l.text()
	if err != nil {
		return nil, err
	}
	return &l.value, json.Unmarshal(text, &l.value)
}

func Load[T any](path string) (*T, error) { return New[T](path).Load() }

func decode(text string, into any) error { return json.Unmarshal([]byte(text), into) }

func Parse[T any](text string) (T, error) {
	var out *T
	err := decode(text, any(&out))
	return *out, err
}

func first[T any](load func(string) (T, error), of string) (T, error) { return load(of) }

func File[T any](path string) (out T, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(text, &out)
}

type MethodConfig struct{ A int }

type FunctionConfig struct{ B int }

type ParsedConfig struct{ C int }

type HandedConfig struct{ D int }

type Service struct{ E int }

type Order struct{ F int }

func Method() (*MethodConfig, error) { return New[MethodConfig]("own.json").Load() }

func Function() (*FunctionConfig, error) { return Load[FunctionConfig]("own.json") }

func Parsed() (ParsedConfig, error) { return Parse[ParsedConfig]("{}") }

func Handed() (HandedConfig, error) { return first(Parse[HandedConfig], "{}") }

func Serve() (Service, error) { return File[Service]("own.json") }

func Sell() (Order, error) { return Parse[Order]("{}") }
`,
		"own.json":     "{}",
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestAll(t *testing.T) {\n\ta, _ := Method()\n\tb, _ := Function()\n\tc, _ := Parsed()\n\td, _ := Handed()\n\te, _ := Serve()\n\tf, _ := Sell()\n\tt.Log(a.A+1, b.B+1, c.C+1, d.D+1, e.E+1, f.F+1)\n}\n",
	}), "GOWORK=off")
	values := map[parameter.ID]string{}
	for name, text := range map[string]string{"MethodConfig": `{"A": 1}`, "FunctionConfig": `{"B": 2}`, "ParsedConfig": `{"C": 3}`, "HandedConfig": `{"D": 4}`, "Service": `{"E": 5}`} {
		values[parameter.New(parameter.Field, "shop."+name)] = text
	}
	want := []string{"read field:shop.FunctionConfig.B=2", "read field:shop.HandedConfig.D=4", "read field:shop.MethodConfig.A=1", "read field:shop.ParsedConfig.C=3", "read field:shop.Service.E=5"}
	if diff := cmp.Diff(want, short(b.run(t, "TestAll", values), record.Read)); diff != "" {
		t.Errorf("the reads (-want +got): %s", diff)
	}
}
