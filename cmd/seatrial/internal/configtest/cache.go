package configtest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/field"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// cache keeps what was seen of tests, a file for each package and what its tests were built from. What cannot be
// read is not there; what cannot be written is lost. Neither changes what is found.
type cache string

// observed is what was seen of the tests of a package, while the system answered what they asked for as it did.
type observed struct {
	Observations []observation `json:"observations"`
	Asked        run.Asked     `json:"asked"`
	State        string        `json:"state"`
}

// What observations are kept by: what the tests were built from, and what their program was linked from, which may be
// the same of other texts.
const (
	byText    = "tests-"
	byContent = "content-"
)

// observed is what is kept of a package, if the system still answers the same.
func (c cache) observed(m *run.Module, by, key string) (out observed, is bool) {
	is = c.read(by+key, &out) && out.State == m.State(out.Asked)
	if !is {
		out = observed{}
	}
	return out, is
}

func (c cache) keep(m *run.Module, by, key string, o observed) {
	o.State = m.State(o.Asked)
	c.write(by+key, o)
}

// alone are the tests of a package that were run by themselves the last time.
func (c cache) alone(key string) (out []string) {
	c.read("alone-"+key, &out)
	return out
}

func (c cache) keepAlone(key string, tests []string) { c.write("alone-"+key, tests) }

// linked is what a program is linked from, by the key of the sources; empty if that is not known.
func (c cache) linked(key string) string {
	var out string
	c.read("linked-"+key, &out)
	return out
}

func (c cache) keepLinked(key, content string) { c.write("linked-"+key, content) }

// analysis is what is kept of the sources of a module: of each module the last one, since it is large.
type analysis struct {
	Key     string         `json:"key"`
	Sources *field.Sources `json:"sources"`
}

func (c cache) sources(folder, key string) (*field.Sources, bool) {
	var out analysis
	is := c.read("sources-"+digest([]string{folder}), &out) && out.Key == key && out.Sources != nil
	return out.Sources, is
}

func (c cache) keepSources(folder, key string, sources *field.Sources) {
	c.write("sources-"+digest([]string{folder}), analysis{key, sources})
}

// declared is what is kept of the text of a module, by the keys of its sources and of its packages.
func (c cache) declared(keys []string) (declared, bool) {
	var out declared
	return out, c.read("text-"+digest(keys), &out)
}

func (c cache) keepDeclared(keys []string, d declared) { c.write("text-"+digest(keys), d) }

func digest(keys []string) string {
	sum := sha256.Sum256([]byte(fmt.Sprintf("%q", keys)))
	return hex.EncodeToString(sum[:10])
}

func (c cache) read(name string, to any) bool {
	if c == "" {
		return false
	}
	file := filepath.Join(string(c), name+".json")
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, to) != nil {
		return false
	}
	now := time.Now()
	_ = os.Chtimes(file, now, now) // it is only for how long it stays
	return true
}

// forgotten is how long something is kept that nobody asks for.
const forgotten = 30 * 24 * time.Hour

// sweep removes what nobody has asked for in long, and what killed runs have left.
func (c cache) sweep(now time.Time) {
	entries, err := os.ReadDir(string(c))
	if c == "" || err != nil {
		return
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > forgotten {
			_ = os.Remove(filepath.Join(string(c), e.Name()))
		}
	}
}

// write puts a file in place at once: another run may read it, or be killed.
func (c cache) write(name string, what any) {
	if c == "" || os.MkdirAll(string(c), 0o700) != nil {
		return
	}
	text, err := json.Marshal(what)
	if err != nil {
		return
	}
	f, err := os.CreateTemp(string(c), ".new-")
	if err != nil {
		return
	}
	_, err = f.Write(text)
	if closed := f.Close(); err == nil && closed == nil && os.Rename(f.Name(), filepath.Join(string(c), name+".json")) == nil {
		return
	}
	_ = os.Remove(f.Name())
}
