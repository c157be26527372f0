package field_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// namings are libraries that decode variables of the environment, with as little in them as is needed, and a program
// that says how these are called in the ways that they have.
var namings = map[string]string{
	"go.mod": `module example.com/shop

go 1.24

require (
	github.com/caarlos0/env/v11 v11.0.0
	github.com/ilyakaznacheev/cleanenv v1.5.0
	github.com/kelseyhightower/envconfig v1.4.0
	github.com/sethvargo/go-envconfig v1.0.0
)

replace (
	github.com/caarlos0/env/v11 => ./caarlos0
	github.com/ilyakaznacheev/cleanenv => ./cleanenv
	github.com/kelseyhightower/envconfig => ./kelsey
	github.com/sethvargo/go-envconfig => ./sethvargo
)
`,
	"caarlos0/go.mod": "module github.com/caarlos0/env/v11\n\ngo 1.24\n",
	"caarlos0/a.go": `package env

type Options struct {
	Prefix, TagName, PrefixTagName string
	UseFieldNameByDefault          bool
}

func ParseWithOptions(v any, o Options) error { return nil }

func ParseAsWithOptions[T any](o Options) (t T, err error) { return t, nil }
`,
	"cleanenv/go.mod":  "module github.com/ilyakaznacheev/cleanenv\n\ngo 1.24\n",
	"cleanenv/a.go":    "package cleanenv\n\nfunc ReadEnv(v any) error { return nil }\n\nfunc UpdateEnv(v any) error { return nil }\n",
	"kelsey/go.mod":    "module github.com/kelseyhightower/envconfig\n\ngo 1.24\n",
	"kelsey/a.go":      "package envconfig\n\nfunc Process(prefix string, spec any) error { return nil }\n",
	"sethvargo/go.mod": "module github.com/sethvargo/go-envconfig\n\ngo 1.24\n",
	"sethvargo/a.go": `package envconfig

import "context"

type Lookuper interface{ Lookup(string) (string, bool) }

type Config struct {
	Target   any
	Lookuper Lookuper
}

func OsLookuper() Lookuper { return nil }

func MapLookuper(m map[string]string) Lookuper { return nil }

func MultiLookuper(all ...Lookuper) Lookuper { return nil }

func PrefixLookuper(prefix string, l Lookuper) Lookuper { return nil }

func Process(ctx context.Context, v any) error { return nil }

func ProcessWith(ctx context.Context, c *Config) error { return nil }
`,
	"caarlos0.go": `package shop

import "github.com/caarlos0/env/v11"

type Field struct {
	HTTP struct{ MaxConns int } ` + "`envPrefix:\"HTTP_\"`" + `
	Off  string ` + "`env:\"-\"`" + `
}

func field() (c Field, err error) {
	options := env.Options{Prefix: "FIELD_", UseFieldNameByDefault: true}
	return c, env.ParseWithOptions(&c, options)
}

type Other struct {
	Part struct {
		Size int ` + "`variable:\"SIZE,required\"`" + `
	} ` + "`above:\"PART_\"`" + `
}

const before = "OTHER_"

var others = env.Options{Prefix: before, TagName: "variable", PrefixTagName: "above"}

func other() (Other, error) { return env.ParseAsWithOptions[Other](others) }

type Told struct {
	Port int ` + "`env:\"PORT\"`" + `
}

type ToldType struct {
	Port int ` + "`env:\"PORT\"`" + `
}

func into(prefix string, c any) error { return env.ParseWithOptions(c, env.Options{Prefix: prefix + "_"}) }

func of[T any](o env.Options) (T, error) { return env.ParseAsWithOptions[T](o) }

func told() (c Told, t ToldType) {
	_ = into("TOLD", &c)
	t, _ = of[ToldType](env.Options{Prefix: "TYPE_"})
	return c, t
}

type Unknown struct {
	Port int ` + "`env:\"PORT\"`" + `
}

func unknown() (c Unknown, err error) { return c, into(before[:2], &c) }
`,
	"cleanenv.go": `package shop

import "github.com/ilyakaznacheev/cleanenv"

type Clean struct {
	Port int ` + "`env:\"CLEAN_PORT,PORT\"`" + `
	DB   struct {
		Port int ` + "`env:\"PORT,PGPORT\"`" + `
	} ` + "`env-prefix:\"DB_\"`" + `
}

func clean() (c Clean, err error) { return c, cleanenv.UpdateEnv(&c) }
`,
	"kelsey.go": `package shop

import "github.com/kelseyhightower/envconfig"

type Base struct{ Level string }

type Kelsey struct {
	Base      ` + "`envconfig:\"BASE\"`" + `
	HTTP2Port int    ` + "`split_words:\"1\"`" + `
	Hidden    string ` + "`ignored:\"true\"`" + `
}

func process(prefix string, c any) error { return envconfig.Process(prefix, c) }

func kelsey() (c Kelsey, err error) { return c, process("kelsey", &c) }
`,
	"sethvargo.go": `package shop

import (
	"context"

	"github.com/sethvargo/go-envconfig"
)

type With struct {
	Pool *struct {
		Size int ` + "`env:\"SIZE, default=3\"`" + `
	} ` + "`env:\", prefix=POOL_, noinit\"`" + `
}

func with(ctx context.Context) (c With, err error) {
	l := envconfig.PrefixLookuper("B_", envconfig.PrefixLookuper("WITH_", envconfig.OsLookuper()))
	return c, envconfig.ProcessWith(ctx, &envconfig.Config{Target: &c, Lookuper: l})
}

type Looked struct {
	Port int ` + "`env:\"PORT\"`" + `
}

func looked(ctx context.Context, l envconfig.Lookuper) (*Looked, error) {
	var c Looked
	config := &envconfig.Config{Target: &c, Lookuper: envconfig.PrefixLookuper("IN_", l)}
	return &c, envconfig.ProcessWith(ctx, config)
}

func Main(ctx context.Context) (*Looked, error) {
	_, _ = looked(ctx, envconfig.MapLookuper(nil))
	return looked(ctx, envconfig.MultiLookuper(envconfig.MapLookuper(nil), envconfig.PrefixLookuper("LOOKED_", envconfig.OsLookuper())))
}

type Mapped struct {
	Port int ` + "`env:\"PORT\"`" + `
}

func mapped(ctx context.Context) (c Mapped, err error) {
	return c, envconfig.ProcessWith(ctx, &envconfig.Config{Target: &c, Lookuper: envconfig.MapLookuper(nil)})
}
`,
	"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) {}\n",
}

// TestNamings: how variables are called is said by options, by who looks them up, and by whoever calls a function that
// decodes them. Where that is not known no variable is a field.
func TestNamings(t *testing.T) {
	b := build(t, module(t, namings), "GOWORK=off")
	want := []string{
		"env:CLEAN_PORT Clean.Port", "env:DB_PGPORT Clean.DB.Port", "env:DB_PORT Clean.DB.Port", "env:FIELD_HTTP_MAX_CONNS Field.HTTP.MaxConns", "env:KELSEY_HTT_P2_PORT Kelsey.HTTP2Port",
		"env:KELSEY_LEVEL Kelsey.Level", "env:LOOKED_IN_PORT Looked.Port", "env:OTHER_PART_SIZE Other.Part.Size", "env:PORT Clean.Port", "env:TOLD_PORT Told.Port", "env:TYPE_PORT ToldType.Port",
		"env:WITH_B_POOL_SIZE With.Pool.Size",
	}
	var got []string
	for _, pair := range b.sources.Aliases {
		got = append(got, string(pair[0])+" "+strings.TrimPrefix(string(pair[1]), "field:shop."))
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the aliases (-want +got): %s", diff)
	}
	if problems := []string{"caarlos0.go:49: variables of Unknown begin with what is not known: which of them is which field is not known"}; !slices.Equal(b.sources.Problems, problems) {
		t.Errorf("the problems are %q, want %q", b.sources.Problems, problems)
	}
}
