package instrument_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// likeKong has of kong what its copy is told by: the parts of a command line, and what puts values into them. As kong
// it has a min of its own.
const likeKong = `package kong

import "strconv"

type (
	Kong        struct{ Model *Application }
	Application struct{ *Node }
	Node        struct {
		Flags    []*Flag
		Children []*Node
	}
	Flag  struct{ *Value }
	Value struct {
		Flag   *Flag
		Name   string
		Target *int
	}
	Context   struct{}
	TokenType int
	Token     struct {
		Value any
		Type  TokenType
	}
	Scanner struct{ tokens []Token }
)

const FlagValueToken TokenType = 1

func min(a, b int) int { return map[bool]int{true: a, false: b}[a < b] }

func ScanFromTokens(tokens ...Token) *Scanner { return &Scanner{tokens} }

func (v *Value) Parse(scan *Scanner, target *int) (err error) {
	*target, err = strconv.Atoi(scan.tokens[0].Value.(string))
	return err
}

func (v *Value) Reset() error {
	*v.Target = min(0, 1)
	return nil
}

func (k *Kong) Parse(args []string) (ctx *Context, err error) {
	for _, n := range append([]*Node{k.Model.Node}, k.Model.Children...) {
		for _, f := range n.Flags {
			if err := f.Reset(); err != nil {
				return nil, err
			}
		}
	}
	return &Context{}, nil
}
`

// TestKong: kong gives flags their values, and refuses one that is a typing error for one that is not given.
func TestKong(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module example.com/shop\n\ngo 1.24\n\nrequire github.com/alecthomas/kong v1.0.0\n\nreplace github.com/alecthomas/kong => ./kong\n",
		"kong/go.mod":  "module github.com/alecthomas/kong\n\ngo 1.20\n",
		"kong/kong.go": likeKong,
		"shop.go":      "package shop\n\nimport \"github.com/alecthomas/kong\"\n\nvar New = func(model *kong.Application) *kong.Kong { return &kong.Kong{Model: model} }\n",
		"shop_test.go": `package shop

import (
	"testing"

	"github.com/alecthomas/kong"
)

func TestIt(t *testing.T) {
	var loss, streams int
	of := func(name string, target *int) *kong.Flag {
		f := &kong.Flag{Value: &kong.Value{Name: name, Target: target}}
		f.Flag = f
		return f
	}
	k := New(&kong.Application{Node: &kong.Node{Flags: []*kong.Flag{of("max-loss", &loss)}, Children: []*kong.Node{{Flags: []*kong.Flag{of("streams", &streams)}}}}})
	_, err := k.Parse(nil)
	t.Fatal(loss, streams, err)
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
	b := build(t, folder, "GOWORK=off")
	for _, c := range []struct {
		inject map[parameter.ID]string
		want   string
	}{
		{nil, ": 0 0 <nil>\n"},
		{map[parameter.ID]string{"flag:--max-loss": "7", "flag:--streams": "8"}, ": 7 8 <nil>\n"},
		{map[parameter.ID]string{"flag:--max-lost": "7"}, ": 0 0 unknown flag --max-lost\n"},
		{map[parameter.ID]string{"flag:--stream": "7"}, ": 0 0 unknown flag --stream\n"},
		{map[parameter.ID]string{"flag:--max-lost": "7", "flag:--max-loss": "6"}, ": 6 0 <nil>\n"},
		{map[parameter.ID]string{"flag:--zap": "7"}, ": 0 0 <nil>\n"},
	} {
		if o := b.run(t, "TestIt", c.inject); !strings.Contains(o.Output, c.want) {
			t.Errorf("with %v it has not %q\n%s\n%v", c.inject, c.want, o.Output, o.Events)
		}
	}
}
