package configtest

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// observation is what one test was seen to do, by the names under which it was recorded: which of them are one
// parameter is known only when all have been seen. It is what is kept between runs.
type observation struct {
	Test   string     `json:"test"`
	Ending run.Ending `json:"ending"`
	// Twice: it did not end in its time, and neither did it before.
	Twice bool `json:"twice,omitempty"`
	// Took is about how long it takes: where several share a process, without the start of that.
	Took time.Duration `json:"took,omitempty"`
	// Starts: it starts programs that are instrumented.
	Starts bool           `json:"starts,omitempty"`
	Reads  []parameter.ID `json:"reads,omitempty"`
	// Late are those that its goroutines were seen to read when it was over, while others ran.
	Late []parameter.ID `json:"late,omitempty"`
	// Ways tell apart at which places it reads each.
	Ways map[parameter.ID]string `json:"ways,omitempty"`
	Sets []parameter.ID          `json:"sets,omitempty"`
	// Besides are those of Reads of which it reads a value that it has given to nothing.
	Besides []parameter.ID `json:"besides,omitempty"`
	Makes   []parameter.ID `json:"makes,omitempty"`
	// Same are fields of configurations, and of items, into which the test writes words by hand.
	Same []parameter.ID `json:"same,omitempty"`
	// Marked are those that the test says that it is about, Optional those that it may be about, and Only says that
	// there are no others.
	Marked   []parameter.ID `json:"marked,omitempty"`
	Optional []parameter.ID `json:"optional,omitempty"`
	Only     bool           `json:"only,omitempty"`
	// Unpatched are types that it asked for values of, and that are none of configurations.
	Unpatched []string `json:"unpatched,omitempty"`
	// Hands are pairs of which the first gives the second its value.
	Hands [][2]parameter.ID `json:"hands,omitempty"`
	// Variables were asked for, by anybody: also to hand them on.
	Variables []string `json:"variables,omitempty"`
	// Files are those of the module that were opened, as paths from its root.
	Files []string `json:"files,omitempty"`
	// Data are others of those, in folders testdata, that could be copies of what is deployed.
	Data []string `json:"data,omitempty"`
}

// observe is what an outcome shows.
func observe(m *run.Module, test string, o *run.Outcome) observation {
	out := observation{Test: test, Ending: o.Ending, Took: o.Took, Starts: o.Starts}
	probed := map[string]bool{}
	sites := map[parameter.ID][]string{}
	copied, carried := of(o.Events, record.Copied), of(o.Events, record.Carried)
	for _, e := range o.Events {
		switch {
		case e.Verb == record.Probe:
			probed[e.Subject.Name()] = true
		case e.Verb == record.Read && elsewhere(m, e.Subject):
		case e.Verb == record.Read:
			out.Reads = append(out.Reads, e.Subject)
			sites[e.Subject] = append(append(sites[e.Subject], e.At), used(copied, carried, e)...)
		case e.Verb == record.Set && e.At == record.Test: // and not what may be of another
			out.Sets = append(out.Sets, e.Subject)
		case e.Verb == record.Made && e.At == record.Test:
			out.Makes = append(out.Makes, e.Subject)
		case e.Verb == record.Same:
			out.Same = append(out.Same, e.Subject)
		case e.Verb == record.Mark || e.Verb == record.Only:
			out.Marked = append(out.Marked, e.Subject)
			out.Only = out.Only || e.Verb == record.Only
		case e.Verb == record.Optional:
			out.Optional = append(out.Optional, e.Subject)
		case e.Verb == record.Patched && e.Subject == "":
			out.Unpatched = append(out.Unpatched, e.Value)
		case e.Verb == record.Patched:
			of := func(id parameter.ID) bool {
				return id == e.Subject || strings.HasPrefix(string(id), string(e.Subject)+".")
			}
			out.Sets, out.Makes = slices.DeleteFunc(out.Sets, of), slices.DeleteFunc(out.Makes, of)
		case e.Verb == record.Hand && string(e.Subject) != e.Value: // else it is handed on to nobody
			out.Hands = append(out.Hands, [2]parameter.ID{e.Subject, parameter.ID(e.Value)})
		}
	}
	out.Variables = slices.DeleteFunc(variables(o.Variables), func(name string) bool { return probed[name] })
	out.Besides = besides(o.Events)
	for _, list := range []*[]parameter.ID{&out.Reads, &out.Sets, &out.Besides, &out.Makes, &out.Same, &out.Marked, &out.Optional} {
		*list = sorted(*list)
	}
	for id, at := range sites {
		if out.Ways == nil {
			out.Ways = map[parameter.ID]string{}
		}
		slices.Sort(at)
		out.Ways[id] = digest(slices.Compact(at))[:8]
	}
	slices.SortFunc(out.Hands, func(a, b [2]parameter.ID) int {
		return slices.CompareFunc(a[:], b[:], parameter.Compare)
	})
	out.Hands = slices.Compact(out.Hands)
	for _, file := range o.Files {
		if below, is := within(m, file); is {
			out.Files = append(out.Files, below)
		} else if below, is := data(m, file); is {
			out.Data = append(out.Data, below)
		}
	}
	return out
}

// of are the events with a verb.
func of(events []record.Event, verb record.Verb) (out []record.Event) {
	for _, e := range events {
		if e.Verb == verb {
			out = append(out, e)
		}
	}
	return out
}

// used are the places at which a value is read that was put into fields of the program's when it was read.
func used(copied, carried []record.Event, read record.Event) (out []string) {
	carriers := record.Carriers(copied, read)
	for _, e := range carried {
		if slices.Contains(carriers, e.Subject) {
			out = append(out, e.At)
		}
	}
	return out
}

// without is an observation without files that tests have made: what is there the next time, or at somebody else's, is
// another one.
func (o observation) without(made func(string) bool) observation {
	isMade := func(id parameter.ID) bool {
		return id.Kind() == parameter.File && !filepath.IsAbs(id.Name()) && made(id.Name())
	}
	o.Reads, o.Besides = slices.DeleteFunc(o.Reads, isMade), slices.DeleteFunc(o.Besides, isMade)
	o.Files, o.Data = slices.DeleteFunc(o.Files, made), slices.DeleteFunc(o.Data, made)
	maps.DeleteFunc(o.Ways, func(id parameter.ID, _ string) bool { return isMade(id) })
	return o
}

// besides are the parameters that are read with a value which the test has given to none: a table of cases sets a flag
// in one of them, and reads it in the others as it is configured. Which names are one parameter is not known here, so
// that all values count that are set.
func besides(events []record.Event) []parameter.ID {
	given := map[string]bool{}
	for _, e := range events {
		if e.Verb == record.Set && e.At == record.Test {
			given[plain(e.Value)] = true
		}
	}
	var out []parameter.ID
	for _, e := range events {
		if e.Verb == record.Read && len(given) > 0 && !given[plain(e.Value)] && !strings.HasSuffix(e.At, record.Unsure) {
			out = append(out, e.Subject)
		}
	}
	return out
}

// plain is a value in one way of writing it: 1m is 1m0s, and a list of flags has commas.
func plain(v string) string {
	v = strings.NewReplacer("[", "", "]", "", ",", " ", `"`, "").Replace(strings.ToLower(strings.TrimSpace(v)))
	if d, err := time.ParseDuration(v); err == nil {
		return d.String()
	}
	if n, err := strconv.ParseFloat(v, 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64)
	}
	return v
}

// elsewhere tells whether a file that was read is one of the module, or of Go: those are known by what they are there,
// or are none of its parameters.
func elsewhere(m *run.Module, id parameter.ID) bool {
	if id.Kind() != parameter.File {
		return false
	}
	for _, root := range []string{m.Directory, m.Root} {
		if below, err := filepath.Rel(root, id.Name()); err == nil && filepath.IsLocal(below) {
			return true
		}
	}
	return false
}

// within is a file that may be a configuration, from the root of the module; false if it is not in it.
func within(m *run.Module, file string) (string, bool) {
	below, err := filepath.Rel(m.Directory, file)
	return filepath.ToSlash(below), err == nil && filepath.IsLocal(below) && configuration(below)
}

// data is a file in a folder testdata that could be a copy of a configuration, from the root of the module; false if it
// is none.
func data(m *run.Module, file string) (string, bool) {
	below, err := filepath.Rel(m.Directory, file)
	return filepath.ToSlash(below), err == nil && filepath.IsLocal(below) && inTestdata(below) && slices.Contains(structured, filepath.Ext(below))
}

// matters tells whether something that was seen is part of an observation.
func matters(m *run.Module, e record.Event) bool {
	switch e.Verb {
	case record.Getenv:
		return len(variables([]string{string(e.Subject)})) > 0
	case record.Open:
		file := string(e.Subject)
		if !filepath.IsAbs(file) {
			file = filepath.Join(e.At, file)
		}
		_, is := within(m, file)
		_, copied := data(m, file)
		return is || copied
	case record.Probe, record.Checked, record.Gave, record.Item:
		return e.Verb == record.Probe
	}
	return true
}

func sorted(ids []parameter.ID) []parameter.ID {
	slices.SortFunc(ids, parameter.Compare)
	return slices.Compact(ids)
}

// everybodys are variables that libraries and the systems below ask for in many a test, and that configure those. Where
// the module itself asks for one of them, that is recorded as a read all the same.
var everybodys = []string{
	"GODEBUG", "GOROOT", "GOTRACEBACK", "GOTMPDIR", "GOCOVERDIR", "GOMAXPROCS", "TMPDIR", "ZONEINFO",
	"LOCALDOMAIN", "RES_OPTIONS", "HOSTALIASES", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "REQUEST_METHOD",
	"PATH", "PWD", "GO_FLAGS_COMPLETION", "HOME", "USER", "SHELL", "TERM", "NO_COLOR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
}

// variables are those that may be a program's parameters.
func variables(asked []string) []string {
	return slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
		return name == record.Variable || slices.Contains(everybodys, name) || strings.HasPrefix(name, "SEATRIAL_") || strings.ContainsAny(name, "\t ")
	})
}

// configuration says of a file whether it may be one, by its name. What is in a folder testdata is the tests' own.
func configuration(file string) bool {
	if inTestdata(file) {
		return false
	}
	return change.Variables(file) || slices.Contains(structured, change.Extension(file)) || filepath.Ext(file) != "" && change.Textual(file)
}

// structured is how files are called that have keys.
var structured = []string{".yaml", ".yml", ".json", ".toml", ".properties", ".ini", ".env"}

func inTestdata(file string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(filepath.Dir(file)), "/"), "testdata")
}
