package field_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// program has variables instead of structs, two packages of one name, and the environment in several roles.
var program = map[string]string{
	"main.go": `package main

import (
	"flag"
	"os"
	"strconv"

	one "example.com/shop/a/conf"
	two "example.com/shop/b/conf"
)

var (
	level = flag.Int("level", 2, "")
	name  string
	home  = os.Getenv("SHOP_HOME")
	seatrial = one.Default().Size + two.Default().Size
)

func init() { flag.StringVar(&name, "name", or("SHOP_NAME", "x"), "") }

func or(variable, otherwise string) string {
	if v, is := os.LookupEnv(variable); is {
		return v
	}
	return otherwise
}

type options struct {
	port   *int
	secret string
	other  func()
}

func register(f *flag.FlagSet) *options {
	o := &options{secret: or("SHOP_SECRET", "none")}
	o.port = f.Int("port", 80, "")
	f.StringVar(&o.secret, "secret", o.secret, "")
	return o
}

type Config struct {
	Size  int
	Home  string
	Title string
}

func LoadConfig() (*Config, error) {
	c := Config{Size: 1, Title: os.ExpandEnv("the shop of $SHOP_OWNER")}
	if v, is := os.LookupEnv("SHOP_SIZE"); is {
		n, err := strconv.Atoi(v)
		if err != nil {
			return nil, err
		}
		c.Size = n
	}
	if v := or("SHOP_PLACE", "here"); v != "" {
		c.Home = v
	}
	return &c, nil
}

func main() { flag.Parse() }
`,
	"main_test.go": `package main

import (
	"flag"
	"os"
	"testing"
)

func use(...any) {}

func TestPointer(t *testing.T)  { use(*level) }
func TestValue(t *testing.T)    { use(name) }
func TestVariable(t *testing.T) { use(home) }
func TestOptions(t *testing.T) {
	o := register(flag.NewFlagSet("x", flag.ContinueOnError))
	use(*o.port, o.secret)
}
func TestLoad(t *testing.T) {
	c, _ := LoadConfig()
	use(c.Size, c.Home)
}
func TestTitle(t *testing.T) {
	c, _ := LoadConfig()
	use(c.Title, os.ExpandEnv("in ${SHOP_TOWN}"))
}
func TestLoop(t *testing.T) {
	c, _ := LoadConfig()
	for i := range 20000 {
		if use(c.Size); i == 19998 {
			c.Size = 7
		}
	}
}
func TestOwnLevel(t *testing.T) { *level = 3; use(*level) }
func TestOwnName(t *testing.T)  { name = "y" }
func TestFunction(t *testing.T) { get := os.Getenv; use(get("SHOP_X")) }
func TestSets(t *testing.T) {
	t.Setenv("SHOP_Y", "1")
	_ = os.Setenv("SHOP_Z", "2")
	defer os.Unsetenv("SHOP_Z")
	use(or("SHOP_Y", ""))
}
`,
	"a/conf/conf.go": "package conf\n\ntype Config struct{ Size int }\n\nfunc Default() Config { return Config{Size: 1} }\n",
	"b/conf/conf.go": "package conf\n\ntype Config struct{ Size int }\n\nfunc Default() (c Config) { c.Size = 2; return }\n",
}

// TestProgram: variables that hold flags, and what only hands on what the environment says.
func TestProgram(t *testing.T) {
	folder := module(t, program)
	b := build(t, folder, "GOWORK=off")
	if len(b.sources.Problems) > 0 {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	want := [][2]parameter.ID{
		{"flag:--name", "env:SHOP_NAME"}, {"flag:--port", "field:options.port"}, {"flag:--secret", "field:options.secret"}, {"env:SHOP_OWNER", "field:Config.Title"}, {"env:SHOP_PLACE", "field:Config.Home"}, {"env:SHOP_SECRET", "field:options.secret"}, {"env:SHOP_SIZE", "field:Config.Size"},
	}
	if diff := cmp.Diff(want, b.sources.Aliases); diff != "" {
		t.Errorf("the aliases are others: %s", diff)
	}
	for _, c := range []struct{ test, want string }{
		{"TestPointer", "read flag:--level=2"},
		{"TestValue", "read flag:--name=x"},
		{"TestVariable", "read env:SHOP_HOME="},
		{"TestOptions", "hand env:SHOP_SECRET=field:options.secret, read field:options.port=80, read field:options.secret=none"},
		{"TestLoad", "hand env:SHOP_OWNER=field:Config.Title, hand env:SHOP_PLACE=field:Config.Home, hand env:SHOP_SIZE=field:Config.Size, read field:Config.Home=here, read field:Config.Size=1"},
		{"TestTitle", "hand env:SHOP_OWNER=field:Config.Title, hand env:SHOP_PLACE=field:Config.Home, hand env:SHOP_SIZE=field:Config.Size, read env:SHOP_TOWN=, read field:Config.Title=the shop of "},
		{"TestLoop", "hand env:SHOP_OWNER=field:Config.Title, hand env:SHOP_PLACE=field:Config.Home, hand env:SHOP_SIZE=field:Config.Size, read field:Config.Size=1, read field:Config.Size=7, set field:Config.Size=7"},
		{"TestOwnLevel", "read flag:--level=3, set flag:--level=3"},
		{"TestOwnName", "set flag:--name=y"},
		{"TestFunction", "read env:SHOP_X="},
		{"TestSets", "read env:SHOP_Y=1, set env:SHOP_Y=1, set env:SHOP_Z=, set env:SHOP_Z=2"},
	} {
		o := b.run(t, c.test, nil)
		all := short(o, record.Read, record.Set, record.Hand)
		// Before its tests the program hands on a name, and reads what two packages have by default.
		for _, always := range []string{"hand env:SHOP_NAME=flag:--name", "read field:./a/conf.Config.Size=1", "read field:./b/conf.Config.Size=2"} {
			if i := slices.Index(all, always); i < 0 {
				t.Errorf("%s: there is no %s", c.test, always)
			} else {
				all = slices.Delete(all, i, i+1)
			}
		}
		if got := strings.Join(all, ", "); o.Ending != run.Passed || got != c.want {
			t.Errorf("%s %s with %s\nwant %s\n%s", c.test, o.Ending, got, c.want, o.Output)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "main.go")); err != nil || string(text) != program["main.go"] {
		t.Errorf("the module is not what it was: %v", err)
	}
	if _, err := os.Stat(filepath.Join(folder, "internal")); err == nil {
		t.Error("the recorder is in the module")
	}
}

// TestSeveral: flags of one name that are bound to several things, and those that several functions bind to one.
func TestSeveral(t *testing.T) {
	m, err := run.Find(t.Context(), module(t, map[string]string{
		"a/main.go":      "package main\n\nimport \"flag\"\n\ntype options struct{ port, size, pace int }\n\nfunc add(f *flag.FlagSet, o *options) {\n\tf.IntVar(&o.port, \"port\", 1, \"\")\n\tf.IntVar(&o.size, \"size\", 1, \"\")\n}\n\nfunc also(f *flag.FlagSet, o *options) { f.IntVar(&o.size, \"size\", 2, \"\") }\n\nfunc main() { flag.Int(\"pace\", 1, \"\") }\n",
		"b/main.go":      "package main\n\nimport \"flag\"\n\nvar port = flag.Int(\"port\", 1, \"\")\n\nfunc main() { flag.Int(\"pace\", 1, \"\") }\n",
		"b/main_test.go": "package main\n\nimport \"flag\"\n\nvar size = flag.Int(\"size\", 1, \"\")\n",
	}), "", append(os.Environ(), "GOWORK=off"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sources, err := field.Analyze(t.Context(), m, []string{"./..."})
	if err != nil || len(sources.Problems) > 0 {
		t.Fatalf("%v: %q", err, sources.Problems)
	}
	if diff := cmp.Diff([]parameter.ID{"flag:--pace", "flag:--port"}, sources.Several); diff != "" {
		t.Errorf("several commands have (-want +got):\n%s", diff)
	}
}

// TestDecoders: with each library a value arrives where the program makes, fills or decodes a configuration, as the
// library reads it.
func TestDecoders(t *testing.T) {
	pace.Slow(t)
	const body = `

type Config struct {
	Wait Pause ` + "`yaml:\"wait\" json:\"wait\" toml:\"wait\" mapstructure:\"wait\"`" + `
	Most int   ` + "`yaml:\"most\" json:\"most\" toml:\"most\" mapstructure:\"most\"`" + `
}

type Pause string

func Load(text string) (Config, error) {
	var c Config
	SetDefaults(&c)
	return c, decode([]byte(text), &c)
}

func SetDefaults(c *Config) {
	if c.Most == 0 {
		c.Most = 3
	}
}

func decode(text []byte, into any) error { return DECODE }
`
	const tests = `

import "testing"

func TestLoad(t *testing.T) {
	if c, err := Load("TEXT"); err != nil || c.Most != 3 || c.Wait != "1s" {
		t.Errorf("%v, %v", c, err)
	}
}

func TestFilled(t *testing.T) {
	c := &Config{Wait: "own"}
	if SetDefaults(c); c.Most != 3 || c.Wait != "own" {
		t.Errorf("%v", *c)
	}
}
`
	files := map[string]string{}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(examples, "thumbs", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	libraries := []struct{ pkg, path, decode, text string }{
		{"yaml3", "go.yaml.in/yaml/v3", "library.Unmarshal(text, into)", `wait: 1s`},
		{"toml2", "github.com/pelletier/go-toml/v2", "library.Unmarshal(text, into)", `wait = '1s'`},
		{"maps", "github.com/go-viper/mapstructure/v2", "library.Decode(map[string]any{string(text[:4]): string(text[5:])}, into)", `wait 1s`},
		{"stream", "encoding/json", "library.NewDecoder(bytes.NewReader(text)).Decode(into)", `{\"wait\": \"1s\"}`},
	}
	for _, l := range libraries {
		more := ""
		if l.pkg == "stream" {
			more = "\n\nimport \"bytes\""
		}
		files[l.pkg+"/config.go"] = "package " + l.pkg + more + "\n\nimport library \"" + l.path + "\"" + strings.Replace(body, "DECODE", l.decode, 1)
		files[l.pkg+"/config_test.go"] = "package " + l.pkg + strings.Replace(tests, "TEXT", l.text, 1)
	}
	b := build(t, module(t, files), "GOWORK=off")
	if len(b.sources.Problems) > 0 {
		t.Errorf("the problems are %q", b.sources.Problems)
	}
	for _, l := range libraries {
		root := parameter.ID("field:" + l.pkg + ".Config")
		for _, test := range []string{"TestLoad", "TestFilled"} {
			if o := b.run(t, l.pkg+"."+test, nil); o.Ending != run.Passed {
				t.Errorf("%s.%s %s\n%s", l.pkg, test, o.Ending, o.Output)
			}
			o := b.run(t, l.pkg+"."+test, map[parameter.ID]string{root: `{"most": 7, "wait": "9s"}`})
			gave := record.Event{Verb: record.Gave, Subject: root + ".most", Value: "7"}
			read := slices.ContainsFunc(o.Events, func(e record.Event) bool { return e.Verb == record.Read && e.Subject == gave.Subject && e.Value == "7" })
			if o.Ending != run.Failed || !slices.Contains(o.Events, gave) || !read || strings.Contains(o.Output, "9s") {
				t.Errorf("%s.%s %s with %v\n%s", l.pkg, test, o.Ending, o.Events, o.Output)
			}
		}
	}
}
