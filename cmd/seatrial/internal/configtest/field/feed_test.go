package field_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/internal/pace"
)

// TestFeeds: where the program puts one parameter, in whatever unit, into a field or an argument, a number, a time or a
// word that a test writes there by hand is another one if it is just what is deployed. A field into which something of
// two parameters is put is none, and neither is a number that is as much in a unit that the program does not count in.
func TestFeeds(t *testing.T) {
	pace.Slow(t)
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

type Config struct {
	Wait  int     ` + "`json:\"wait\"`" + `
	Size  int     ` + "`json:\"size\"`" + `
	Share float64 ` + "`json:\"share\"`" + `
	Mode  string  ` + "`json:\"mode\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type Options struct {
	Wait       time.Duration
	Bytes, Own int
	Both       int
	Share      float32
	Mode       string
}

type Shop struct{ o Options }

func New(o Options) *Shop { return &Shop{o} }

func Of(size int, more ...int) string { return fmt.Sprint(size, more) }

func (s *Shop) Says() string { return fmt.Sprint(s.o) }

func Start(c Config) *Shop {
	s := New(Options{Wait: time.Duration(c.Wait) * time.Second, Bytes: c.Size << 10, Both: c.Size + c.Wait, Share: float32(c.Share)})
	mode, _ := strings.CutPrefix(c.Mode, "very")
	s.o.Mode = mode
	own := c.Size
	own++
	own = 3
	s.o.Own = own
	Of(c.Size, c.Size)
	return s
}
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

const wait = 2 * time.Minute

func TestAll(t *testing.T) {
	t.Log("it says", New(Options{Wait: wait, Bytes: 64 << 10, Own: 64, Both: 64, Share: 0.1, Mode: "strict"}).Says(), Of(64, 64))
}

func TestOther(t *testing.T) {
	t.Log("it says", New(Options{Wait: 120 * time.Minute, Bytes: 64, Share: 0.2, Mode: "lax"}).Says(), Of(65))
}

func TestConfigured(t *testing.T) {
	t.Log("it says", Config{Wait: 120, Size: 64, Share: 0.1})
}
`,
	}), "GOWORK=off")
	v := run.Values{Inject: map[parameter.ID]string{}}
	for id, amounts := range map[parameter.ID][2]float64{"field:shop.Config.wait": {120, 0.5}, "field:shop.Config.size": {64, 8}, "field:shop.Config.share": {0.1, 0.9}} {
		for _, at := range append(slices.Clone(b.sources.Feeds[id]), parameter.Feed{ID: id, Scale: 1}) {
			v.Inject[record.AmountOf(at.ID)] = fmt.Sprint(amounts[0]*at.Scale, amounts[1]*at.Scale)
		}
	}
	for _, at := range b.sources.Feeds["field:shop.Config.mode"] {
		v.Inject[record.SameAs(at.ID, "strict")] = "strickt"
	}
	for test, want := range map[string][2]string{
		"TestAll":        {"it says {2m0s 65536 64 64 0.1 strict} 64 [64]", "it says {500ms 8192 64 64 0.9 strickt} 8 [64]"},
		"TestOther":      {"it says {2h0m0s 64 0 0 0.2 lax} 65 []", "it says {2h0m0s 64 0 0 0.2 lax} 65 []"},
		"TestConfigured": {"it says {120 64 0.1 }", "it says {120 8 0.9 }"}, // half a second is no number of seconds
	} {
		for i, o := range []*run.Outcome{b.run(t, test, nil), b.runBeside(t, test, v)} {
			if !strings.Contains(o.Output, want[i]+"\n") {
				t.Errorf("%s: %s, want %s", test, o.Output, want[i])
			}
		}
	}
}

// TestFeedsOfOnly: a struct with one field, as a time that reads itself, is what that is.
func TestFeedsOfOnly(t *testing.T) {
	pace.Slow(t)
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import (
	"encoding/json"
	"fmt"
	"time"
)

type Duration struct{ time.Duration }

func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	return err
}

type Config struct {
	Part  Part   ` + "`json:\"part\"`" + `
	Items []Item ` + "`json:\"items\"`" + `
}

type Item struct {
	Every Duration ` + "`json:\"every\"`" + `
}

type Part struct {
	Wait Duration ` + "`json:\"wait\"`" + `
	Most Duration ` + "`json:\"most\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

type Options struct{ Wait, Most time.Duration }

func New(o Options) string { return fmt.Sprint(o) }

func Start(c *Config) string {
	return New(Options{Wait: c.Part.Wait.Duration, Most: c.Part.Most.Duration})
}
`,
		"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	t.Log("it says", New(Options{Wait: 2 * time.Minute, Most: 2 * time.Minute}))
}

func TestPart(t *testing.T) {
	t.Log("it says", Part{Wait: Duration{2 * time.Minute}, Most: Duration{Duration: 2 * time.Minute}})
}
`,
	}), "GOWORK=off")
	v := run.Values{Inject: map[parameter.ID]string{}}
	const id = "field:shop.Config.part.wait"
	for _, at := range append(slices.Clone(b.sources.Feeds[id]), parameter.Feed{ID: id, Scale: 1}) {
		v.Inject[record.AmountOf(at.ID)] = fmt.Sprint(120e9*at.Scale, 1e9*at.Scale)
	}
	for test, want := range map[string]string{"TestOptions": "it says {1s 2m0s}", "TestPart": "it says {1s 2m0s}"} {
		if o := b.runBeside(t, test, v); !strings.Contains(o.Output, want+"\n") {
			t.Errorf("%s: %s, want %s", test, o.Output, want)
		}
	}
}

// TestFeedsOfNames: what a program asks a store of its own for is known by its text, also if that goes on from one
// struct to another one. What a helper is given by several is a feed of none.
func TestFeedsOfNames(t *testing.T) {
	b := build(t, module(t, map[string]string{
		"shop.go": `package shop

import "os"

type Store struct{ of map[string]int }

func Open(name string) *Store { return &Store{map[string]int{name: 1}} }

func (s *Store) Int(key string) int { return s.of[key] }

func (s *Store) Env(key string) string { return os.Getenv("SHOP_" + key) }

type Settings struct{ Batch, Room int }

type Options struct{ Batch, Room, Sum int }

func Clamp(n int) int { return min(n, 100) }

func Hash(x0 int) int {
	x1 := x0*x0 + x0
	x2 := x1*x1 + x1
	x3 := x2*x2 + x2
	x4 := x3*x3 + x3
	x5 := x4*x4 + x4
	x6 := x5*x5 + x5
	x7 := x6*x6 + x6
	x8 := x7*x7 + x7
	x9 := x8*x8 + x8
	y1 := x9*x9 + x9
	y2 := y1*y1 + y1
	y3 := y2*y2 + y2
	y4 := y3*y3 + y3
	y5 := y4*y4 + y4
	y6 := y5*y5 + y5
	y7 := y6*y6 + y6
	return Clamp(y7)
}

func Start() Options {
	s := Open("shop")
	c := &Settings{Batch: s.Int("Box.Batch"), Room: s.Int("box.room")}
	c.Room = c.Room * 2
	return Options{Batch: 1024 * c.Batch, Room: Clamp(c.Room), Sum: Clamp(c.Batch)}
}
`,
	}), "GOWORK=off")
	got := map[parameter.ID][]string{}
	for id, to := range b.sources.Feeds {
		for _, at := range to {
			name := at.ID.Name()
			got[id] = append(got[id], fmt.Sprintf("%s*%v", name[strings.LastIndex(name, "/")+1:], at.Scale))
		}
	}
	want := "map[asked box.batch:[shop.Batch:shop.go:13:23*1 shop.Batch:shop.go:15:22*1024 shop.Sum:shop.go:15:35*1] asked box.room:[shop.Room:shop.go:13:30*1 shop.Room:shop.go:15:29*1]]"
	if got := fmt.Sprint(got); got != want {
		t.Errorf("it feeds %s, want %s", got, want)
	}
}
