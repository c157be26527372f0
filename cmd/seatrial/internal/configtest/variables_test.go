package configtest

import "testing"

// mapped reads variables with a library, which a test gives a map in the place of the environment.
var mapped = map[string]string{
	"go.mod":     "module example.com/shop\n\ngo 1.25\n\nrequire github.com/caarlos0/env/v11 v11.0.0\n\nreplace github.com/caarlos0/env/v11 => ./env\n",
	"env/go.mod": "module github.com/caarlos0/env/v11\n\ngo 1.25\n",
	"env/env.go": `package env

import (
	"os"
	"reflect"
	"strconv"
	"strings"
)

type Options struct{ Environment map[string]string }

func ParseWithOptions(v any, o Options) error {
	if o.Environment == nil {
		o.Environment = map[string]string{}
		for _, pair := range os.Environ() {
			name, value, _ := strings.Cut(pair, "=")
			o.Environment[name] = value
		}
	}
	getOr("SHOP_", "", false, o.Environment) // of the struct, by its prefix
	p := reflect.ValueOf(v).Elem()
	for i := range p.NumField() {
		tag := p.Type().Field(i).Tag
		text, _, _ := getOr(tag.Get("env"), tag.Get("envDefault"), true, o.Environment)
		n, err := strconv.Atoi(text)
		if err != nil {
			return err
		}
		p.Field(i).SetInt(int64(n))
	}
	return nil
}

func getOr(key, defaultValue string, defExists bool, envs map[string]string) (val string, exists, isDefault bool) {
	value, exists := envs[key]
	if !exists && defExists {
		return defaultValue, true, true
	}
	return value, exists, false
}
`,
	"shop.env": "", "shop.go": `package shop

import "github.com/caarlos0/env/v11"

type Config struct {
	Most  int ` + "`env:\"MOST\" envDefault:\"100000\"`" + `
	Least int ` + "`env:\"LEAST\" envDefault:\"1\"`" + `
	Term  int ` + "`env:\"TERM_DAYS\" envDefault:\"30\"`" + `
}

func From(m map[string]string) (c Config, err error) {
	return c, env.ParseWithOptions(&c, env.Options{Environment: m})
}

func (c Config) Takes(cents int) bool { return cents >= c.Least && cents <= c.Most }
`,
	"shop_test.go": `package shop

import "testing"

func TestTakes(t *testing.T) {
	c, err := From(map[string]string{"LEAST": "10", "TERM_DAYS": "14"})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Takes(5000) {
		t.Error("5000 are not taken")
	}
	if c.Term != 14 {
		t.Errorf("it is %d days", c.Term)
	}
}
`,
}

// TestVariablesOfAMap: where a test has a map in the place of the environment, a variable that it does not have is as
// it is deployed, and one that it has is the test's.
func TestVariablesOfAMap(t *testing.T) {
	s, said := shop(t, "shop.env", mapped)
	const old = "MOST=90000\nLEAST=2\nTERM_DAYS=60\n"
	for now, want := range map[string]string{
		"MOST=900\nLEAST=2\nTERM_DAYS=60\n":   "violated MOST: TestTakes: 5000 are not taken (shop_test.go:11)",
		"MOST=80000\nLEAST=2\nTERM_DAYS=60\n": "holds MOST: 1 test passes with it",
		"MOST=90000\nLEAST=2\nTERM_DAYS=90\n": "inconclusive TERM_DAYS: overridden by the test: TestTakes",
	} {
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %q it says %s %s: %s%s", now, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
	m, err := s.mapped(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Parameters {
		if p.ID == "env:SHOP_" {
			t.Error("a prefix is a parameter")
		}
	}
}
