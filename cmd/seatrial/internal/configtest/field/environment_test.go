package field_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// variables is a program with a struct of each library.
const variables = `package shop

import (
	"context"

	"github.com/caarlos0/env/v11"
	"github.com/kelseyhightower/envconfig"
	second "github.com/sethvargo/go-envconfig"
)

type Base struct {
	Level string ` + "`env:\"LEVEL,required\"`" + `
}

type First struct {
	Base
	Port int ` + "`env:\"PORT\"`" + `
	DB   struct {
		Host string ` + "`env:\"HOST\"`" + `
	} ` + "`envPrefix:\"DB_\"`" + `
}

func Load[T any]() (T, error) {
	var c T
	err := env.ParseWithOptions(&c, env.Options{Prefix: "SHOP_"})
	return c, err
}

func load[T any]() (*T, error) {
	c, err := Load[T]()
	return &c, err
}

func first() (*First, error) { return load[First]() }

type Second struct {
	MaxSize int ` + "`split_words:\"true\"`" + `
	Name    string ` + "`envconfig:\"CALLED\"`" + `
	Cache   struct{ TTL int }
}

func two() (c Second, err error) {
	err = envconfig.Process("shop", &c)
	return c, err
}

type Third struct {
	Zone  string ` + "`env:\"ZONE, default=a\"`" + `
	Queue struct {
		Size int ` + "`env:\"SIZE\"`" + `
	} ` + "`env:\", prefix=QUEUE_\"`" + `
}

func three() (c Third, err error) {
	err = second.Process(context.Background(), &c)
	return c, err
}

type Fourth struct {
	Rate int ` + "`env:\"RATE\"`" + `
}

type Fifth struct {
	Zeal int ` + "`env:\"ZEAL\"`" + `
}

func four() (Fourth, error) { return env.ParseAs[Fourth]() }

func use() int {
	a, _ := first()
	b, _ := two()
	c, _ := three()
	d, _ := four()
	return a.Port + len(a.Level) + len(a.DB.Host) + b.MaxSize + len(b.Name) + b.Cache.TTL + len(c.Zone) + c.Queue.Size + d.Rate
}
`

// TestEnvironment: variables that libraries decode into structs are other names of the fields, with what their names
// begin with; also where a generic function makes the struct.
func TestEnvironment(t *testing.T) {
	library := func(path, text string) (string, string) {
		return "module " + path + "\n\ngo 1.24\n", "package " + text
	}
	files := map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire (\n\tgithub.com/caarlos0/env/v11 v11.0.0\n\tgithub.com/kelseyhightower/envconfig v1.4.0\n\tgithub.com/sethvargo/go-envconfig v1.0.0\n)\n\n" +
			"replace (\n\tgithub.com/caarlos0/env/v11 => ./one\n\tgithub.com/kelseyhightower/envconfig => ./two\n\tgithub.com/sethvargo/go-envconfig => ./three\n)\n",
		"main_test.go": "package shop\n\nimport \"testing\"\n\ntype own struct{ X int `env:\"X\"` }\n\nfunc TestIt(t *testing.T) {\n\t_, _ = load[Fifth]()\n\t_, _ = load[own]()\n}\n",
		"main.go":      variables,
	}
	files["one/go.mod"], files["one/a.go"] = library("github.com/caarlos0/env/v11", "env\n\ntype Options struct{ Prefix string }\n\nfunc Parse(v any) error { return nil }\n\nfunc ParseWithOptions(v any, o Options) error { return nil }\n\nfunc ParseAs[T any]() (t T, err error) { return t, nil }\n")
	files["two/go.mod"], files["two/a.go"] = library("github.com/kelseyhightower/envconfig", "envconfig\n\nfunc Process(prefix string, spec any) error { return nil }\n")
	files["three/go.mod"], files["three/a.go"] = library("github.com/sethvargo/go-envconfig", "envconfig\n\nimport \"context\"\n\nfunc Process(ctx context.Context, v any) error { return nil }\n")
	b := build(t, module(t, files), "GOWORK=off")
	want := [][2]parameter.ID{
		{"env:CALLED", "field:shop.Second.Name"},
		{"env:QUEUE_SIZE", "field:shop.Third.Queue.Size"},
		{"env:RATE", "field:shop.Fourth.Rate"},
		{"env:SHOP_CACHE_TTL", "field:shop.Second.Cache.TTL"},
		{"env:SHOP_CALLED", "field:shop.Second.Name"},
		{"env:SHOP_DB_HOST", "field:shop.First.DB.Host"},
		{"env:SHOP_LEVEL", "field:shop.First.Level"},
		{"env:SHOP_MAX_SIZE", "field:shop.Second.MaxSize"},
		{"env:SHOP_PORT", "field:shop.First.Port"},
		{"env:SHOP_ZEAL", "field:shop.Fifth.Zeal"},
		{"env:ZONE", "field:shop.Third.Zone"},
	}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" || len(b.sources.Problems) > 0 {
		t.Errorf("the aliases (-want +got): %s, with %q", diff, b.sources.Problems)
	}
}

// TestAffixed: a struct of options that a function makes of variables is a configuration. A function that puts
// something around the name of a variable before it asks for that asks for the whole name, and what it gives is handed
// on as it is otherwise.
func TestAffixed(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"os"
	"strconv"
)

const prefix = "SHOP_"

type Config struct {
	Size int
	Name string
}

func env[T any](name string, otherwise T, parse func(string) (T, error)) T {
	text, is := os.LookupEnv(prefix + name)
	if !is {
		return otherwise
	}
	v, err := parse(text)
	if err != nil {
		return otherwise
	}
	return v
}

func file(name string) string { return env(name+"_FILE", "", func(s string) (string, error) { return s, nil }) }

type Database struct{ Host string }

type Options struct {
	Database
	Size int
}

func LoadConfig() *Config {
	return &Config{Size: env("SIZE", 3, strconv.Atoi), Name: file("NAME")}
}

func fromEnvironment() Options {
	return Options{Database: Database{Host: file("HOST")}, Size: env("SIZE", 3, strconv.Atoi)}
}
`,
		"shop_test.go": "package shop\n\nimport \"testing\"\n\nfunc use(...any) {}\n\nfunc TestSize(t *testing.T) { use(LoadConfig().Size, fromEnvironment().Host) }\n",
	}), "GOWORK=off")
	want := [][2]parameter.ID{{"env:SHOP_HOST_FILE", "field:shop.Options.Host"}, {"env:SHOP_NAME_FILE", "field:shop.Config.Name"}, {"env:SHOP_SIZE", "field:shop.Config.Size"}, {"env:SHOP_SIZE", "field:shop.Options.Size"}}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases (-want +got): %s", diff)
	}
	if diff := cmp.Diff([]string{"read Size=3", "read field:shop.Options.Host="}, short(b.run(t, "TestSize", nil), record.Read)); diff != "" {
		t.Errorf("the reads (-want +got): %s", diff)
	}
}
