package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// TestPointers: what pointers in a collection point to is read, and not where that is; of what is no data only the
// type.
func TestPointers(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import "sync"

type Route struct {
	Path string
	Port int
	Next *Route
}

type Client struct {
	mu sync.Mutex
	N  int
}

type Config struct {
	Routes  []*Route
	Named   map[string]*Route
	Any     any
	Clients []*Client
	Text    string
}

func DefaultConfig() *Config {
	r := &Route{"/a", 80, nil}
	loop := &Route{"/b", 81, r}
	return &Config{[]*Route{r, loop, nil}, map[string]*Route{"b": loop, "a": r}, []any{r, "0x"}, []*Client{{N: 1}}, "0xc000"}
}
`,
		"config_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c := DefaultConfig()
	_, _, _, _, _ = c.Routes, c.Named, c.Any, c.Clients, c.Text
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", nil)
	want := "read Any=[&{/a 80 <nil>} 0x], read Clients=[*shop.Client], " +
		"read Named=map[a:&{/a 80 <nil>} b:&{/b 81 &{/a 80 <nil>}}], " +
		"read Routes=[&{/a 80 <nil>} &{/b 81 &{/a 80 <nil>}} <nil>], read Text=0xc000"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with\n%s\nwant\n%s\n%s", o.Ending, got, want, o.Output)
	}
}

// TestLong: of a long value, in a field or in a library, is seen how it begins, and that its end is another one.
func TestLong(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import "flag"

type Config struct{ Text string }

func DefaultConfig() *Config { return &Config{} }

var hosts = flag.String("hosts", "", "")
`,
		"config_test.go": `package shop

import "testing"

func TestIt(t *testing.T) { _, _ = DefaultConfig().Text, *hosts }
`,
	}), "GOWORK=off")
	for _, end := range []string{"first", "second"} {
		text := strings.Repeat("0123456789 ", 30) + end
		o := b.run(t, "TestIt", map[parameter.ID]string{"field:shop.Config": `{"Text": "` + text + `"}`, "flag:--hosts": text})
		var read []string
		for _, e := range o.Events {
			if e.Verb == record.Read {
				read = append(read, e.Value)
			}
		}
		want := record.Cut(text)
		if len(read) < 2 || !strings.HasPrefix(want, text[:170]) || want == record.Cut(text+" ") {
			t.Fatalf("%q, want %q\n%s", read, want, o.Output)
		}
		for _, got := range read {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		}
	}
}

// TestAtWork: what is at work is not looked into, as others change it meanwhile.
func TestAtWork(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import "sync"

type Pool struct {
	mu   sync.Mutex
	open map[int]bool
}

func (p *Pool) Work() {
	for i := range 1000000 {
		p.mu.Lock()
		p.open[i%1000] = true
		delete(p.open, (i+500)%1000)
		p.mu.Unlock()
	}
}

type Options struct {
	Pool    any
	Workers int
	When    any
}

type Day struct{ year int }

func NewOptions() *Options { return &Options{Pool: &Pool{open: map[int]bool{}}, When: &Day{1970}} }
`,
		"config_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	o := NewOptions()
	done := make(chan bool)
	go func() {
		o.Pool.(*Pool).Work()
		close(done)
	}()
	for range 100 {
		_, _ = o.Pool, o.When
		_ = NewOptions().Pool
	}
	<-done
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", nil)
	want := "read field:shop.Options.Pool=*shop.Pool, read field:shop.Options.When=&{1970}"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with %s, want %s\n%s", o.Ending, got, want, o.Output)
	}
}

// TestUnsaid: what a type says of itself may be only a part of it. What it does not say is read, too.
func TestUnsaid(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"config.go": `package shop

import (
	"fmt"
	"net/url"
	"sync"
)

type Group struct {
	Targets []string
	Labels  map[string]string
	Source  string
	kept    int
}

func (g Group) String() string { return g.Source }

func (g *Group) UnmarshalText([]byte) error { return nil }

type Level struct{ Name string }

func (l *Level) UnmarshalText([]byte) error { return nil }

func (l *Level) String() string { return "level " + l.Name }

type Secret struct{ text string }

func (Secret) String() string { return "<secret>" }

func (*Secret) UnmarshalText([]byte) error { return nil }

type Client struct {
	mu sync.Mutex
	N  int
}

func (*Client) String() string { return "client" }

func (*Client) UnmarshalText([]byte) error { return nil }

type Finder interface{ Find() []*Group }

type Static []*Group

func (s Static) Find() []*Group { return s }

type Config struct {
	Group   Group
	Level   *Level
	Secret  Secret
	URL     *url.URL
	Client  *Client
	Groups  map[string]Group
	Finders []Finder
	Texts   []fmt.Stringer
}

func DefaultConfig() *Config {
	g := Group{[]string{"a:1"}, map[string]string{"b": "c"}, "0", 1}
	u, _ := url.Parse("http://a/b?c")
	return &Config{g, &Level{"low"}, Secret{"x"}, u, &Client{N: 1}, map[string]Group{"g": g}, []Finder{Static{&g, nil}}, []fmt.Stringer{&Level{"high"}}}
}
`,
		"config_test.go": `package shop

import "testing"

func TestIt(t *testing.T) {
	c := DefaultConfig()
	_, _, _, _, _, _, _, _ = c.Group, c.Level, c.Secret, c.URL, c.Client, c.Groups, c.Finders, c.Texts
}
`,
	}), "GOWORK=off")
	o := b.run(t, "TestIt", nil)
	want := "read Client=client, read Finders=[[0#5acf40c77d11d348 <nil>]], read Group=0#5acf40c77d11d348, read Groups=map[g:0#5acf40c77d11d348], " +
		"read Level=level low, read Secret=<secret>, read Texts=[level high], read URL=http://a/b?c"
	if got := strings.Join(short(o, record.Read), ", "); o.Ending != run.Passed || got != want {
		t.Errorf("%s with\n%s\nwant\n%s\n%s", o.Ending, got, want, o.Output)
	}
}
