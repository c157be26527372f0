package configtest

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/internal/pace"
)

// stored is a program that asks a store of keys in methods of its own, and puts what these give into fields.
var stored = map[string]string{
	"go.mod":            "module example.com/shop\n\ngo 1.25\n\nrequire github.com/magiconair/properties v1.8.6\n\nreplace github.com/magiconair/properties => ./properties\n",
	"properties/go.mod": "module github.com/magiconair/properties\n\ngo 1.25\n",
	"properties/properties.go": `package properties

import (
	"os"
	"strings"
)

type Properties struct {
	m map[string]string
	k []string
}

type Loader struct{}

func LoadFile(name string) (*Properties, error) { return (&Loader{}).LoadFile(name) }

func (l *Loader) LoadFile(filename string) (*Properties, error) {
	text, err := os.ReadFile(filename)
	if err != nil {
		return nil, err
	}
	return parse(string(text))
}

func parse(input string) (properties *Properties, err error) {
	properties = &Properties{m: map[string]string{}}
	for _, line := range strings.Fields(input) {
		key, value, _ := strings.Cut(line, "=")
		properties.k = append(properties.k, key)
		properties.m[key] = value
	}
	return properties, nil
}

func (p *Properties) Get(key string) (value string, ok bool) {
	value, ok = p.m[key]
	return value, ok
}

func (p *Properties) GetString(key, def string) string {
	if v, ok := p.Get(key); ok {
		return v
	}
	return def
}

func (p *Properties) Set(key, value string) (prev string, ok bool, err error) {
	p.k = append(p.k, key)
	p.m[key] = value
	return "", false, nil
}

func (p *Properties) FilterStripPrefix(prefix string) *Properties {
	return &Properties{m: map[string]string{}}
}
`,
	"shop.properties": "tries=8\nkeep=36h\nzone=Europe/Berlin\nbuffer.kb=2048\nsize=8\nold.size=8\n",
	"shop.go": `package shop

import (
	"strconv"
	"time"

	"github.com/magiconair/properties"
)

type Settings struct {
	Tries, Buffer, Size int
	Keep                time.Duration
	Zone                string
}

func Default() Settings { return Settings{Tries: 6, Buffer: 4096, Size: 6, Keep: 10 * time.Minute, Zone: "UTC"} }

type reader struct{ p *properties.Properties }

func (r *reader) text(key, otherwise string) string { return r.p.GetString(key, otherwise) }

func (r *reader) count(key string, otherwise int) int {
	n, err := strconv.Atoi(r.text(key, ""))
	if err != nil {
		return otherwise
	}
	return n
}

func (r *reader) duration(key string, otherwise time.Duration) time.Duration {
	d, err := time.ParseDuration(r.text(key, ""))
	if err != nil {
		return otherwise
	}
	return d
}

func Load(file string) (Settings, error) {
	p, err := properties.LoadFile(file)
	r, s := &reader{p}, Default()
	s.Tries = r.count("tries", s.Tries)
	s.Keep = r.duration("keep", s.Keep)
	s.Zone = r.text("zone", s.Zone)
	s.Buffer = r.count("buffer.kb", 4) * 1024
	s.Size = r.count("size", 6)
	if s.Size == 0 {
		s.Size = r.count("old.size", 6)
	}
	return s, err
}

// Pause is how long nothing is tried behind so many tries.
func Pause(n int) time.Duration { return time.Second << n }

// Here is the time at a place.
func Here(s Settings, at time.Time) time.Time {
	if z, err := time.LoadLocation(s.Zone); err == nil {
		return at.In(z)
	}
	return at.UTC()
}
`,
	"shop_test.go": `package shop

import (
	"testing"
	"time"
)

func TestDeployed(t *testing.T) {
	s, err := Load("shop.properties")
	if err != nil || s.Tries <= 0 || s.Keep <= 0 || s.Buffer <= 0 || s.Size <= 0 || Here(s, time.Now()).IsZero() {
		t.Fatal(err)
	}
}

func TestPauses(t *testing.T) {
	for n := range Default().Tries {
		if Pause(n) <= 0 {
			t.Fatal("it does not rest")
		}
	}
}

func TestBuffer(t *testing.T) {
	if Default().Buffer < 1024 || Default().Size < 4 {
		t.Fatal("it is less than a block")
	}
}

func TestKeeps(t *testing.T) {
	if Default().Keep < time.Minute {
		t.Fatal("it forgets")
	}
}
`,
}

// TestStored: a field into which the program puts what a store has for a key is that key also where it has its default,
// as far as the text can be made a value of it. A text that the program makes nothing of does not hold.
func TestStored(t *testing.T) {
	pace.Slow(t)
	s, said := shop(t, "shop.properties", stored)
	const old = "tries=8\nkeep=36h\nzone=Europe/Berlin\nbuffer.kb=2048\nsize=8\nold.size=8\n"
	for change, want := range map[[2]string]string{
		{"tries=8", "tries=60"}:                         "violated passes tries: TestPauses: it does not rest (shop_test.go:18)",
		{"tries=8", "tries=9"}:                          "holds passes tries: 2 tests pass with it",
		{"tries=8\n", ""}:                               "holds passes tries: 2 tests pass with it",
		{"keep=36h", "keep=48h"}:                        "holds passes keep: 2 tests pass with it",
		{"keep=36h", "keep=30s"}:                        "violated passes keep: TestKeeps: it forgets (shop_test.go:31)",
		{"keep=36h", "keep=2d"}:                         "inconclusive passes keep: what is read with it is not what it says, and nothing refused it: something else may hold; with it pass: TestDeployed",
		{"zone=Europe/Berlin", "zone=Europe/Frankfurt"}: "violated refuses zone: there is no such time zone, and a test that reads it passes",
		{"zone=Europe/Berlin", "zone=Europe/Paris"}:     "holds passes zone: 1 test passes with it",
		{"buffer.kb=2048", "buffer.kb=512"}:             "holds passes buffer.kb: 1 test passes with it", // half a MiB, and no half block
		{"\nsize=8", "\nsize=2"}:                        "holds passes size: 1 test passes with it",      // of the field's two keys either may count
	} {
		now := strings.Replace(old, change[0], change[1], 1)
		out, err := s.diff(t.Context(), said(old), said(now))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Name+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %q it says %s %s %s: %s%s", now, r.Verdict, r.Name, r.Subject, r.Message, r.Reason)
		}
	}
}
