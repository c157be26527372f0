package configtest

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// observation is what one test was seen to do, by the names under which it was recorded: which of them are one
// parameter is known only when all have been seen. It is what is kept between runs.
type observation struct {
	Test   string         `json:"test"`
	Ending run.Ending     `json:"ending"`
	Reads  []parameter.ID `json:"reads,omitempty"`
	Sets   []parameter.ID `json:"sets,omitempty"`
	Makes  []parameter.ID `json:"makes,omitempty"`
	// Hands are pairs of which the first gives the second its value.
	Hands [][2]parameter.ID `json:"hands,omitempty"`
	// Variables were asked for, by anybody: also to hand them on.
	Variables []string `json:"variables,omitempty"`
	// Files are those of the module that were opened, as paths from its root.
	Files []string `json:"files,omitempty"`
}

// observe is what an outcome shows.
func observe(m *run.Module, test string, o *run.Outcome) observation {
	out := observation{Test: test, Ending: o.Ending}
	probed := map[string]bool{}
	for _, e := range o.Events {
		switch {
		case e.Verb == record.Probe:
			probed[e.Subject.Name()] = true
		case e.Verb == record.Read:
			out.Reads = append(out.Reads, e.Subject)
		case e.Verb == record.Set && e.At == record.Test: // and not what may be of another
			out.Sets = append(out.Sets, e.Subject)
		case e.Verb == record.Made && e.At == record.Test:
			out.Makes = append(out.Makes, e.Subject)
		case e.Verb == record.Hand:
			out.Hands = append(out.Hands, [2]parameter.ID{e.Subject, parameter.ID(e.Value)})
		}
	}
	out.Variables = slices.DeleteFunc(variables(o.Variables), func(name string) bool { return probed[name] })
	for _, list := range []*[]parameter.ID{&out.Reads, &out.Sets, &out.Makes} {
		*list = sorted(*list)
	}
	slices.SortFunc(out.Hands, func(a, b [2]parameter.ID) int {
		return slices.CompareFunc(a[:], b[:], parameter.Compare)
	})
	out.Hands = slices.Compact(out.Hands)
	for _, file := range o.Files {
		if below, err := filepath.Rel(m.Directory, file); err == nil && filepath.IsLocal(below) && configuration(below) {
			out.Files = append(out.Files, filepath.ToSlash(below))
		}
	}
	return out
}

func sorted(ids []parameter.ID) []parameter.ID {
	slices.SortFunc(ids, parameter.Compare)
	return slices.Compact(ids)
}

// everybodys are variables that Go's own libraries and the systems below ask for in many a test, and that configure those. Where the module
// itself asks for one of them, that is recorded as a read all the same.
var everybodys = []string{
	"GODEBUG", "GOROOT", "GOTRACEBACK", "GOTMPDIR", "GOCOVERDIR", "GOMAXPROCS", "TMPDIR", "ZONEINFO",
	"LOCALDOMAIN", "RES_OPTIONS", "HOSTALIASES", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy", "REQUEST_METHOD",
	"PATH", "PWD", "HOME", "USER", "SHELL", "TERM", "NO_COLOR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
}

// variables are those that may be a program's parameters.
func variables(asked []string) []string {
	return slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
		return name == record.Variable || slices.Contains(everybodys, name) || strings.HasPrefix(name, "SEATRIAL_") || strings.ContainsAny(name, "\t ")
	})
}

// configuration says of a file whether it may be one, by its name.
func configuration(file string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json", ".toml", ".properties", ".env"}, filepath.Ext(file))
}
