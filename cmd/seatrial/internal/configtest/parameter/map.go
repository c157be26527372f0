package parameter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Schema identifies the file of a map.
const Schema = "seatrial.dev/configtest-map/v1alpha1"

// Map says of each test of a module which parameters it reads, and which it sets itself. Its file has no times and
// nothing of a machine, and is in order: two maps of the same code are the same text.
type Map struct {
	Schema string `yaml:"schema"`
	// Module is its import path.
	Module string `yaml:"module"`
	// Libraries are those that were instrumented, with their versions.
	Libraries []string `yaml:"libraries,omitempty"`
	// Notes are what could not be seen, a line each.
	Notes []string `yaml:"notes,omitempty"`
	// Types are those of which fields are parameters: field:config.Config.
	Types []ID `yaml:"types,omitempty"`
	// Strict are those of them of which the program refuses a key that they do not have.
	Strict     []ID      `yaml:"strict,omitempty"`
	Parameters []Class   `yaml:"parameters"`
	Packages   []Package `yaml:"packages"`
	// Items are the fields of what collections of structs have. They are in no file: what is deployed is given whole.
	Items []Item `yaml:"-"`
	// Itself are those of Types that read themselves: which key of a file is for what is not known. In no file either.
	Itself []ID `yaml:"-"`
}

// Item is a field of what a collection has: of a map or a list of structs, or of such in those.
type Item struct {
	// Of is the collection, empty for one that is a file of its own, and Path what leads to the field from there, with
	// [Any] for each key and place.
	Of   ID
	Path []string
	// ID is what the field is known by, wherever the struct is.
	ID ID
	// Hidden: what is at Path reads itself, and the field is one in it. Which key it is for is not known.
	Hidden bool
	// Keyed: what is at Path has no type, and is read by keys. ID is empty if that is the collection itself.
	Keyed bool
}

// Any stands for any key of a map, and for any place in a list.
const Any = "*"

// OfItem begins what fields of items are known by.
const OfItem = "item:"

// Key is what is at a key in maps without a type of their own. Libraries write keys small.
func Key(name string) ID { return ID(OfItem + "map." + strings.ToLower(name)) }

// Package is the tests of one package.
type Package struct {
	// Path is that from the root of the module; . for the root.
	Path string `yaml:"package"`
	// Problem is why none was run.
	Problem string `yaml:"problem,omitempty"`
	Tests   []Test `yaml:"tests,omitempty"`
}

// Test is what one test does with parameters. Those of several names are here by the first.
type Test struct {
	Name string `yaml:"test"`
	// Ends is how it ended, where that is not by passing: a test that fails says nothing of a change.
	Ends string `yaml:"ends,omitempty"`
	// Reads are taken by the test or what it calls, whoever gave them, and Sets are those that it gave a value itself.
	Reads []ID `yaml:"reads,omitempty,flow"`
	Sets  []ID `yaml:"sets,omitempty,flow"`
	// Besides are those of Sets that it reads as they are configured, too: in another case of a table.
	Besides []ID `yaml:"besides,omitempty,flow"`
	// Own are those of Sets that it reads at all: what it gave them, for the most part. They are in no file, since that
	// says what is set.
	Own []ID `yaml:"-"`
	// Ways tell apart where it reads each: at the same places, the same way. They are in no file, since lines go up and
	// down.
	Ways map[ID]string `yaml:"-"`
	// Late are those that its goroutines were seen to read when it was over. That depends on how long others take: it
	// is in no file.
	Late []ID `yaml:"-"`
	// Took is about how long it takes, on the machine on which that was seen: one of few times that are far apart. In
	// no file either.
	Took time.Duration `yaml:"-"`
	// Starts: it starts programs, and may not be run beside others of its package; in no file either.
	Starts bool `yaml:"-"`
	// Makes are types of which it makes values without the defaults of the program.
	Makes []ID `yaml:"makes,omitempty,flow"`
	// Same are fields of configurations and of items of these, and feeds, into which it writes words or amounts by
	// hand: one may be a copy of what is deployed. In no file either.
	Same []ID `yaml:"-"`
	// Data are files with keys in folders testdata that it opens, from the root of the module: one may be nearly what
	// is deployed. In no file either.
	Data []string `yaml:"-"`
	// Marked are those that it says that it is about, and Optional those that it may be about; Only says that there are
	// no others.
	Marked   []ID `yaml:"marked,omitempty,flow"`
	Optional []ID `yaml:"optional,omitempty,flow"`
	Only     bool `yaml:"only,omitempty"`
}

// About tells whether a test says that it is about a parameter, or may be.
func (t Test) About(id ID) bool {
	return slices.Contains(t.Marked, id) || slices.Contains(t.Optional, id)
}

// Untrue is what a test says of itself that is not so, a sentence each.
func (t Test) Untrue() []string {
	var out []string
	for _, id := range t.Marked {
		switch {
		case slices.Contains(t.Reads, id):
		case slices.Contains(t.Sets, id):
			out = append(out, fmt.Sprintf("is marked for %s, and sets it itself", id))
		default:
			out = append(out, fmt.Sprintf("is marked for %s, and was not seen to read it", id))
		}
	}
	if !t.Only {
		return out
	}
	for _, id := range t.Reads {
		if !t.About(id) {
			out = append(out, fmt.Sprintf("is marked for others only, and reads %s", id))
		}
	}
	return out
}

// in is what a test of a package is called.
func (t Test) in(path string) string {
	if path == "." {
		return t.Name
	}
	return path + "." + t.Name
}

// Untrue is what tests say of themselves that is not so, a line each.
func (m *Map) Untrue() []string {
	var out []string
	for _, p := range m.Packages {
		for _, t := range p.Tests {
			for _, says := range t.Untrue() {
				out = append(out, t.in(p.Path)+" "+says)
			}
		}
	}
	return out
}

// Marshal is the text of its file.
func (m *Map) Marshal() ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// Parse reads a map. name is its file.
func Parse(name string, text []byte) (*Map, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	var m Map
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("%s: this is not the map of a module: %s: make it anew with seatrial configtest map", name, oneLine(err))
	}
	if m.Schema != Schema {
		return nil, fmt.Errorf("%s: its schema is %q, and %s is read: make it anew with seatrial configtest map", name, m.Schema, Schema)
	}
	return &m, nil
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// Class is the parameter that is known by an identity; false if there is none.
func (m *Map) Class(id ID) (Class, bool) {
	for _, c := range m.Parameters {
		if c.ID == id || slices.Contains(c.Aliases, id) {
			return c, true
		}
	}
	return Class{}, false
}

// Type is the type of which an identity is a field, and the place in it; empty if it is of none that is known.
func (m *Map) Type(id ID) (of ID, path string) {
	for _, t := range m.Types {
		if below, is := strings.CutPrefix(string(id), string(t)+"."); is && len(t) > len(of) {
			of, path = t, below
		}
	}
	return of, path
}

// Identities are all names of a parameter.
func (c Class) Identities() []ID { return append([]ID{c.ID}, c.Aliases...) }

// Among tells whether one of the names of a parameter is one of some.
func (c Class) Among(ids []ID) bool {
	return slices.Contains(ids, c.ID) || slices.ContainsFunc(c.Aliases, func(id ID) bool { return slices.Contains(ids, id) })
}
