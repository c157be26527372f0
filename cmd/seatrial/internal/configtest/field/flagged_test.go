package field_test

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// flagged are options as programs of Kubernetes have them.
var flagged = map[string]string{
	"shop.go": `package shop

import (
	"flag"
	"strings"
	"time"
)

type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

func (l *list) Set(text string) error {
	*l = strings.Split(text, ",")
	return nil
}

// many are added to.
type many []string

func (m *many) String() string { return strings.Join(*m, ",") }

func (m *many) Set(text string) error {
	*m = append(*m, text)
	return nil
}

type Options struct {
	Workers int
	Formats list
	Hosts   many
	Wait    time.Duration
}

func NewOptions() *Options {
	return &Options{Workers: 2, Formats: list{"png"}, Wait: time.Second}
}

// other has another name, and another way to come to its defaults.
type other struct{ size int }

func standard() (o other) {
	o.size = 1
	return o
}

// Only makes others of what it is given.
func Only(workers int) *Options { return &Options{Workers: workers, Wait: time.Hour} }

func (o *Options) AddFlags(fs *flag.FlagSet) {
	fs.IntVar(&o.Workers, "workers", o.Workers, "")
	fs.Var(&o.Formats, "formats", "")
	fs.Var(&o.Hosts, "host", "")
	fs.DurationVar(&o.Wait, "wait", o.Wait, "")
}

func (o *other) bind(fs *flag.FlagSet) { fs.IntVar(&o.size, "size", o.size, "") }

func (o *Options) Work() (int, string, time.Duration) { return o.Workers, o.Formats.String(), o.Wait }
`,
	"shop_test.go": `package shop

import (
	"flag"
	"testing"
)

func TestDefaults(t *testing.T) {
	workers, formats, wait := NewOptions().Work()
	t.Log(workers, formats, wait)
}

func TestOther(t *testing.T) { t.Log(standard().size) }

func TestOnly(t *testing.T) { Only(4).Work() }

func TestSets(t *testing.T) {
	o := NewOptions()
	o.Workers = 3
	o.Work()
}

func TestMany(t *testing.T) {
	o, fs := NewOptions(), flag.NewFlagSet("", flag.PanicOnError)
	o.AddFlags(fs)
	_ = fs.Parse(nil)
	t.Log(o.Hosts)
}

func TestParses(t *testing.T) {
	o, fs := NewOptions(), flag.NewFlagSet("", flag.PanicOnError)
	o.AddFlags(fs)
	_ = fs.Parse([]string{"--workers=9"})
	o.Work()
}
`,
}

// TestFlagged: a test that takes the defaults of flags, and parses nothing, has what flags are given, but for what it
// sets itself, or gives as arguments.
func TestFlagged(t *testing.T) {
	b := build(t, module(t, flagged), "GOWORK=off")
	values := map[parameter.ID]string{"flag:--workers": "7", "flag:--formats": "webp,png", "flag:--wait": "1m", "flag:--size": "5", "flag:--host": "a"}
	for name, want := range map[string]string{
		"TestDefaults": "read Formats=[webp png], read Wait=1m0s, read Workers=7",
		"TestOnly":     "read Formats=[], read Wait=1h0m0s, read Workers=4",
		"TestOther":    "read field:shop.other.size=5",
		"TestSets":     "read Formats=[webp png], read Wait=1m0s, read Workers=3, set Workers=3",
		"TestMany":     "read Hosts=[a]",
		"TestParses":   "read Formats=[webp png], read Wait=1m0s, read Workers=9, set flag:--workers=9",
	} {
		o := b.run(t, name, values)
		if got := strings.ReplaceAll(strings.Join(short(o, record.Read, record.Set), ", "), "field:shop.Options.", ""); o.Ending != run.Passed || got != want {
			t.Errorf("%s %s with %s, want %s\n%s", name, o.Ending, got, want, o.Output)
		}
	}
	if got := strings.Join(short(b.run(t, "TestDefaults", map[parameter.ID]string{"flag:--workers": "many"}), record.Gave), ", "); !strings.Contains(got, "--workers=many") {
		t.Errorf("what a flag does not take is not said: %s", got)
	}
}
