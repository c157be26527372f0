package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// setting has tests that set one of two values which have to agree.
var setting = map[string]string{
	"go.mod": "module example.com/setting\n\ngo 1.24\n",
	"config.go": `package setting

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

type Config struct {
	Interval int ` + "`json:\"interval\"`" + `
	Timeout  int ` + "`json:\"timeout\"`" + `
	Port     int ` + "`json:\"port\"`" + `
	Places   int ` + "`json:\"places\"`" + `
	Full     Full ` + "`json:\"full\"`" + `
	Cluster  string ` + "`json:\"cluster\"`" + `
	Keep     string ` + "`json:\"keep\"`" + `
	Name     string ` + "`json:\"name\"`" + `
}

type Full int

func (f *Full) UnmarshalText(text []byte) error {
	switch string(text) {
	case "wait":
		*f = 0
	case "drop":
		*f = 1
	case "spill":
		*f = 2
	default:
		return errors.New("no such word")
	}
	return nil
}

func (c *Config) Queue(n int) (all []int) {
	for i := range n {
		if len(all) == c.Places {
			switch c.Full {
			case 1:
				all = all[1:]
			default:
				continue
			}
		}
		all = append(all, i)
	}
	return all
}

func Default() *Config { return &Config{Interval: 10, Timeout: 2, Port: 80, Places: 50, Keep: "1h", Name: "one"} }

func Load(text []byte) (*Config, error) {
	c := Default()
	return c, json.Unmarshal(text, c)
}

func (c *Config) Validate() error {
	if c.Timeout > c.Interval {
		return errors.New("the timeout is too long")
	}
	return nil
}

func (c *Config) Start() error {
	if _, err := time.ParseDuration(c.Keep); err != nil {
		return err
	}
	if c.Cluster != c.Name {
		return fmt.Errorf("there is no %q", c.Name)
	}
	return nil
}

func Grace() int {
	n, _ := strconv.Atoi(os.Getenv("GRACE"))
	return n
}
`,
	"config_test.go": `package setting

import "testing"

func TestFits(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestLong(t *testing.T) {
	c := Default()
	c.Timeout = 8
	if c.Validate() != nil {
		t.Fatal("it is taken")
	}
}

func TestTooLong(t *testing.T) {
	c := Default()
	c.Timeout = 12
	if c.Interval < 1 {
		t.Error("no interval")
	}
	if c.Validate() == nil {
		t.Error("it is too long")
	}
}

func TestPort(t *testing.T) {
	c := Default()
	c.Port = 8000
	if c.Validate() != nil || c.Port != 8000 {
		t.Error("another port is called")
	}
}

func TestFull(t *testing.T) {
	c := Default()
	c.Places = 2
	if all := c.Queue(20); all[0] != 0 {
		t.Error("the first one is gone")
	}
}

func TestStart(t *testing.T) {
	c := Default()
	c.Cluster = string([]rune{'o', 'n', 'e'}) // what it is called is written nowhere
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
}

func TestGrace(t *testing.T) {
	t.Setenv("GRACE", "9")
	if Default().Interval < Grace() {
		t.Error("the grace is longer than the interval")
	}
}
`,
}

// TestOwn: what breaks a test by what it sets itself is no finding, and what breaks it in another way is one.
func TestOwn(t *testing.T) {
	folder := t.TempDir()
	for name, text := range setting {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cache := t.TempDir()
	const deployed = "interval: 10\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n"
	for _, c := range []struct{ after, want string }{
		{"interval: 15\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "holds passes interval: 4 tests pass with it"},
		{"interval: 5\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "holds passes interval: 5 tests pass with it"},
		{"interval: 1\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "violated passes interval: TestFits: the timeout is too long (config_test.go:7)"},
		{"interval: 0\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "violated passes interval: TestFits: the timeout is too long (config_test.go:7)"},
		{"interval: 10\ntimeout: 2\nport: 443\nplaces: 100\nfull: drop\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "violated passes full: TestFull: the first one is gone (config_test.go:42)"},
		{"interval: 10\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: soon\nname: one\n", `violated passes keep: TestStart: time: invalid duration "soon" (config_test.go:50)`},
		{"interval: 10\ntimeout: 2\nport: 443\nplaces: 100\nfull: wait\nGRACE: 3\ncluster:\nkeep: 1h\nname: two\n", "inconclusive passes name: overridden by the test: TestStart"},
		{"interval: 10\ntimeout: 2\nport: 443\nplaces: 100\nfull: spill\nGRACE: 3\ncluster:\nkeep: 1h\nname: one\n", "holds passes full: 1 test passes with it"},
	} {
		var versions [2]Version
		for i, text := range []string{deployed, c.after} {
			versions[i] = version(t, "c.yaml", text)
		}
		o, err := Diff(t.Context(), options(t, folder, cache), versions[0], versions[1])
		if err != nil {
			t.Fatal(err)
		}
		r := o.Report(folder).Results[0]
		if got := fmt.Sprintf("%s %s %s: %s%s", r.Verdict, r.Name, r.Subject, r.Message, r.Reason); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.after, got, c.want)
		}
	}
}
