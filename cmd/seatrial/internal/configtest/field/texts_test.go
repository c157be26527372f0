package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestTextOfType: a text that a test lets a type of a parameter read, by a method of that or by a function that gives
// such a value, is another one if it is just what is given; one of any other type, or of another text, is not.
func TestTextOfType(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import "encoding/json"

type Size string

func (s *Size) UnmarshalText(text []byte) error { *s = Size("<" + string(text) + ">"); return nil }

type Name string

func (n *Name) UnmarshalText(text []byte) error { *n = Name(text); return nil }

type Config struct {
	Limit Size ` + "`json:\"limit\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

func ParseSize(text string) (s Size, err error) { return s, s.UnmarshalText([]byte(text)) }
`,
		"shop_test.go": `package shop

import "testing"

func size(text string) (s Size) {
	_ = s.UnmarshalText([]byte(text))
	return s
}

func TestMethod(t *testing.T) { t.Log("it says", size("10MB"), size("20MB")) }

func TestFunction(t *testing.T) {
	s, _ := ParseSize("10MB")
	t.Log("it says", s)
}

func TestOther(t *testing.T) {
	var n Name
	_ = n.UnmarshalText([]byte("10MB"))
	t.Log("it says", n)
}
`,
	}), "GOWORK=off")
	v := run.Values{Inject: map[parameter.ID]string{record.SameAs(parameter.TextOf("example.com/shop.Size"), "10MB"): "12MB"}}
	for test, want := range map[string]string{"TestMethod": "it says <12MB> <20MB>", "TestFunction": "it says <12MB>", "TestOther": "it says 10MB"} {
		if o := b.runBeside(t, test, v); !strings.Contains(o.Output, want+"\n") {
			t.Errorf("%s: %s, want %s", test, o.Output, want)
		}
	}
}
