package instrument_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// iniLibrary and propertiesLibrary have the functions that are known, and little in them.
const (
	iniLibrary = `package ini

import (
	"os"
	"strings"
)

const DefaultSection = "DEFAULT"

type (
	dataSource interface{}
	sourceFile struct{ name string }
	sourceData struct{ data []byte }

	File struct {
		sections    []*Section
		dataSources []dataSource
	}
	Section struct {
		name string
		keys []*Key
	}
	Key struct {
		s           *Section
		name, value string
	}
)

func Load(source any) (*File, error) {
	f := &File{}
	if name, is := source.(string); is {
		f.dataSources = append(f.dataSources, sourceFile{name})
	} else {
		f.dataSources = append(f.dataSources, &sourceData{source.([]byte)})
	}
	return f, f.Reload()
}

func (f *File) Reload() (err error) {
	var text []byte
	switch s := f.dataSources[0].(type) {
	case sourceFile:
		text, err = os.ReadFile(s.name)
	case *sourceData:
		text = s.data
	}
	s := f.Section("")
	for _, line := range strings.Fields(string(text)) {
		if line[0] == '[' {
			s = f.Section(strings.Trim(line, "[]"))
		} else {
			name, value, _ := strings.Cut(line, "=")
			s.keys = append(s.keys, &Key{s, name, value})
		}
	}
	return err
}

func (f *File) Sections() []*Section { return f.sections }
func (s *Section) Keys() []*Key      { return s.keys }

func (f *File) Section(name string) *Section {
	if name == "" {
		name = DefaultSection
	}
	for _, s := range f.sections {
		if s.name == name {
			return s
		}
	}
	f.sections = append(f.sections, &Section{name: name})
	return f.sections[len(f.sections)-1]
}

func (s *Section) Key(name string) *Key {
	for _, k := range s.keys {
		if k.name == name {
			return k
		}
	}
	return &Key{s, name, ""}
}

func (k *Key) String() string { return k.value }

func (k *Key) MustString(or string) string {
	if v := k.String(); v != "" {
		return v
	}
	return or
}

func (k *Key) SetValue(v string) { k.value = v }
`
	propertiesLibrary = `package properties

import (
	"os"
	"strings"
)

type (
	Properties struct {
		m map[string]string
		k []string
	}
	Loader struct{}
)

func LoadFile(name string) (*Properties, error) { return (&Loader{}).LoadFile(name) }

func (l *Loader) LoadFile(filename string) (*Properties, error) {
	text, err := os.ReadFile(filename)
	if err != nil {
		return nil, err
	}
	return parse(string(text))
}

func LoadString(text string) (*Properties, error) { return parse(text) }

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

func (p *Properties) GetString(key, or string) string {
	if v, is := p.Get(key); is {
		return v
	}
	return or
}

func (p *Properties) FilterStripPrefix(prefix string) *Properties {
	part := &Properties{m: map[string]string{}}
	for _, key := range p.k {
		if rest, is := strings.CutPrefix(key, prefix); is {
			part.Set(rest, p.m[key])
		}
	}
	return part
}

func (p *Properties) Set(key, value string) (prev string, ok bool, err error) {
	p.k = append(p.k, key)
	p.m[key] = value
	return "", false, nil
}
`
)

// TestDocuments: keys of ini files and of properties are seen where the program asks for them, with those of parts by
// their whole names; what a test writes is its own.
func TestDocuments(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n\nrequire (\n\tgithub.com/magiconair/properties v1.8.6\n\tgopkg.in/ini.v1 v1.67.0\n)\n\n" +
			"replace (\n\tgithub.com/magiconair/properties => ./properties\n\tgopkg.in/ini.v1 => ./ini\n)\n",
		"ini/go.mod": "module gopkg.in/ini.v1\n\ngo 1.24\n", "ini/ini.go": iniLibrary,
		"properties/go.mod": "module github.com/magiconair/properties\n\ngo 1.24\n", "properties/properties.go": propertiesLibrary,
		"shop.ini": "name=corner\n[till]\nopens=8\n", "shop.properties": "till.opens=8\nname=corner\n",
		"shop.go": `package shop

import (
	"github.com/magiconair/properties"
	"gopkg.in/ini.v1"
)

func opens(source any) string {
	f, _ := ini.Load(source)
	return f.Section("").Key("name").String() + f.Section("till").Key("opens").MustString("9")
}

func asked(p *properties.Properties) string {
	return p.GetString("name", "") + p.FilterStripPrefix("till.").GetString("opens", "9")
}
`,
		"shop_test.go": `package shop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/magiconair/properties"
	"gopkg.in/ini.v1"
)

func TestIni(t *testing.T) { opens("shop.ini") }

func TestOwnIni(t *testing.T) {
	f, _ := ini.Load([]byte("[till]\nopens=7"))
	f.Section("till").Key("opens").SetValue("6")
}

func TestMadeIni(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.ini")
	os.WriteFile(file, []byte("[till]\nopens=5"), 0o600)
	opens(file)
}

func TestProperties(t *testing.T) {
	p, _ := properties.LoadFile("shop.properties")
	asked(p)
}

func TestOwnProperties(t *testing.T) {
	p, _ := properties.LoadString("name=mine")
	p.Set("till.opens", "3")
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := build(t, folder, "GOWORK=off")
	for test, want := range map[string][]string{
		"TestIni":           {"read ini:name=corner", "read ini:till.opens=8"},
		"TestOwnIni":        {"set ini:till.opens=6", "set ini:till.opens=7"},
		"TestMadeIni":       {"read ini:name=", "read ini:till.opens=5", "set ini:till.opens=5"},
		"TestProperties":    {"read properties:name=corner", "read properties:till.opens=8"},
		"TestOwnProperties": {"set properties:name=mine", "set properties:till.opens=3"},
	} {
		o := b.run(t, test, nil)
		var got []string
		for _, e := range o.Events {
			if e.Verb == record.Read || e.Verb == record.Set {
				got = append(got, string(e.Verb)+" "+string(e.Subject)+"="+e.Value)
			}
			if e.Verb == record.Read && !strings.HasPrefix(e.At, "shop.go:") {
				t.Errorf("%s: %s is read at %s", test, e.Subject, e.At)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || o.Ending != run.Passed {
			t.Errorf("%s %s: %s\n%s", test, o.Ending, diff, o.Output)
		}
	}
}
