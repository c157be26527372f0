package lint

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	fileLinesMax     = 700
	functionLinesMax = 100
	commentWidthMax  = 120

	command   = "cmd/seatrial"
	internals = command + "/internal"
)

// rule finds what is wrong in one file.
type rule struct {
	name  string
	check func(*source) []problem
}

var rules = []rule{
	{"core imports no Kubernetes", coreImportsNoKubernetes},
	{"statespace imports the standard library and a hash", statespaceImports},
	{"report imports finding and trace", reportImports},
	{"a plane's rooms import the standard library", planeImports},
	{"only the command renders reports", onlyCommandRenders},
	{"only iostreams touches the terminal", onlyTerminalDoor},
	{"cobra stays in the command", cobraStaysInCommand},
	{"the command has no templates", commandHasNoTemplates},
	{"no grab-bag packages", noGrabBags},
	{"file size", fileSize},
	{"function size", functionSize},
	{"no clock and no global randomness", noClock},
	{"no promises in comments", noPromises},
	{"comment width", commentWidth},
	{"no skipped tests and no sleeping", noSkippingOrSleeping},
}

// imported collects a problem for each import that allowed refuses.
func imported(s *source, name, message string, refused func(string) bool) []problem {
	var found []problem
	s.imports(func(imported, place string) {
		if refused(imported) {
			found = append(found, problem{place, name, fmt.Sprintf("imports %s: %s", imported, message)})
		}
	})
	return found
}

func coreImportsNoKubernetes(s *source) []problem {
	if !s.within("statespace", "trace", "finding") {
		return nil
	}
	return imported(s, "core imports no Kubernetes", "statespace, trace and finding know nothing of Kubernetes", func(p string) bool {
		return under(p, "k8s.io") || under(p, "sigs.k8s.io")
	})
}

func statespaceImports(s *source) []problem {
	if !s.within("statespace") {
		return nil
	}
	own := []string{modulePath + "/statespace", modulePath + "/internal/invariant"}
	return imported(s, "statespace imports the standard library and a hash", "statespace has the standard library, xxh3 and itself", func(p string) bool {
		return !standard(p) && p != "github.com/zeebo/xxh3" && !slices.ContainsFunc(own, func(o string) bool { return under(p, o) })
	})
}

func reportImports(s *source) []problem {
	if !s.within("report") {
		return nil
	}
	allowed := []string{modulePath + "/finding", modulePath + "/trace", modulePath + "/report"}
	return imported(s, "report imports finding and trace", "a renderer takes findings and traces, nothing else", func(p string) bool {
		if s.isTest() && p == modulePath+"/internal/sample" {
			return false
		}
		return !standard(p) && !slices.ContainsFunc(allowed, func(a string) bool { return under(p, a) })
	})
}

// planeImports: the tests of any project import these, whatever Kubernetes
// libraries they have.
func planeImports(s *source) []problem {
	rooms := []string{"apiproxy", "configtest", "controlplane", "history"}
	if !s.within(rooms...) {
		return nil
	}
	return imported(s, "a plane's rooms import the standard library", "apiproxy, configtest, controlplane and history have the standard library and each other", func(p string) bool {
		return !standard(p) && !slices.ContainsFunc(rooms, func(room string) bool { return under(p, modulePath+"/"+room) })
	})
}

// onlyCommandRenders: trials return findings; how they are shown is not theirs.
func onlyCommandRenders(s *source) []problem {
	if s.room() == command || s.within(internals+"/cli", "report", "browser", "settle", internals+"/settle") {
		return nil // go test shows what settle finds, and the command reads it
	}
	shown := []string{"/report", "/" + internals + "/cli", "/" + internals + "/iostreams"}
	if s.within(internals + "/iostreams") {
		shown = shown[:2]
	}
	return imported(s, "only the command renders reports", "only the command line renders reports or talks to a terminal", func(p string) bool {
		return slices.ContainsFunc(shown, func(room string) bool { return under(p, modulePath+room) })
	})
}

func onlyTerminalDoor(s *source) []problem {
	const name = "only iostreams touches the terminal"
	if s.within(internals+"/iostreams") || s.name == command+"-controlplane/main.go" || strings.HasPrefix(s.name, "examples/") && strings.HasSuffix(s.name, "/main.go") {
		return nil // the door of each executable
	}
	found := imported(s, name, "the terminal is behind iostreams", func(p string) bool { return under(p, "golang.org/x/term") })
	if s.isTest() {
		return found // examples print
	}
	streams := []string{"Stdout", "Stderr", "Stdin"}
	prints := []string{"Print", "Printf", "Println"}
	s.uses(func(imported, used, place string) {
		switch {
		case imported == "os" && slices.Contains(streams, used),
			imported == "fmt" && slices.Contains(prints, used),
			imported == "log":
			found = append(found, problem{place, name, fmt.Sprintf("uses %s.%s: the terminal is behind iostreams", imported, used)})
		}
	})
	ast.Inspect(s.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if f, ok := call.Fun.(*ast.Ident); ok && f.Obj == nil && (f.Name == "print" || f.Name == "println") {
			found = append(found, problem{s.at(call.Pos()), name, "uses the built-in " + f.Name})
		}
		return true
	})
	return found
}

func cobraStaysInCommand(s *source) []problem {
	if s.room() == command || s.within(internals+"/cli") {
		return nil
	}
	return imported(s, "cobra stays in the command", "only the command line knows cobra", func(p string) bool {
		return under(p, "github.com/spf13/cobra") || under(p, "github.com/spf13/pflag")
	})
}

// commandHasNoTemplates: text/template looks methods up by name, so that the
// linker has to keep all of them: the command would be twice as large.
func commandHasNoTemplates(s *source) []problem {
	const name = "the command has no templates"
	if s.isTest() || s.room() != command && !s.within(internals) {
		return nil
	}
	found := imported(s, name, "templates double the size of the command", func(p string) bool {
		return p == "text/template" || p == "html/template"
	})
	setters := []string{"SetHelpTemplate", "SetUsageTemplate", "SetVersionTemplate"}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok && slices.Contains(setters, selector.Sel.Name) {
			found = append(found, problem{s.at(selector.Pos()), name, "uses " + selector.Sel.Name + ": templates double the size of the command"})
		}
		return true
	})
	return found
}

func noGrabBags(s *source) []problem {
	banned := []string{"util", "utils", "common", "helper", "helpers", "types", "pkg", "misc", "shared"}
	for _, name := range append(strings.Split(s.room(), "/"), strings.TrimSuffix(s.file.Name.Name, "_test")) {
		if slices.Contains(banned, name) {
			return []problem{{s.name, "no grab-bag packages", fmt.Sprintf("%q says nothing about what is in it", name)}}
		}
	}
	return nil
}

func fileSize(s *source) []problem {
	if s.generated() || s.lines <= fileLinesMax {
		return nil
	}
	return []problem{{s.name, "file size", fmt.Sprintf("%d lines, at most %d: is it one thing?", s.lines, fileLinesMax)}}
}

func functionSize(s *source) []problem {
	if s.generated() {
		return nil
	}
	var found []problem
	for _, d := range s.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
		if lines > functionLinesMax {
			found = append(found, problem{s.name + ":" + f.Name.Name, "function size", fmt.Sprintf("%d lines, at most %d", lines, functionLinesMax)})
		}
	}
	return found
}

// noClock: same input, same bytes out. The places are file:call, so that an
// exception names the call it is for.
func noClock(s *source) []problem {
	if s.isTest() || !s.within("statespace", "apiproxy", "history", internals+"/cluster", internals+"/upstream") {
		return nil
	}
	clock := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	seeded := []string{"New", "NewSource", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "Source", "Zipf", "PCG", "ChaCha8"}
	var found []problem
	s.uses(func(imported, used, place string) {
		random := (imported == "math/rand" || imported == "math/rand/v2") && !slices.Contains(seeded, used)
		if random || imported == "time" && slices.Contains(clock, used) {
			call := imported + "." + used
			found = append(found, problem{s.name + ":" + call, "no clock and no global randomness", "line " + place[strings.LastIndex(place, ":")+1:] + " uses " + call})
		}
	})
	return found
}

// commentWidth holds comments that have their lines to themselves to a width that can be read beside others. What has
// no blank to be broken at, as an address, may be longer; so may examples, which are indented.
func commentWidth(s *source) []problem {
	var found []problem
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			words, plain := strings.CutPrefix(c.Text, "// ")
			indent, alone := s.indent(c.Pos())
			if !plain || !alone || strings.HasPrefix(words, " ") || !strings.Contains(words, " ") {
				continue
			}
			if width := indent + utf8.RuneCountInString(c.Text); width > commentWidthMax {
				found = append(found, problem{s.at(c.Pos()), "comment width", fmt.Sprintf("%d columns, at most %d", width, commentWidthMax)})
			}
		}
	}
	return found
}

// promise is a comment that says what is not done. Spelt in two halves so that
// this file does not hold one.
var promise = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)

func noPromises(s *source) []problem {
	var found []problem
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if word := promise.FindString(c.Text); word != "" {
				found = append(found, problem{s.at(c.Pos()), "no promises in comments", "a comment says " + word + ": do it, or open an issue"})
			}
		}
	}
	return found
}

// noSkippingOrSleeping: a skipped test tests nothing, and a sleep is either
// too short or too long. In a test with testing/synctest it moves a clock that
// nobody waits for.
func noSkippingOrSleeping(s *source) []problem {
	var found []problem
	virtual := false
	s.imports(func(imported, _ string) { virtual = virtual || s.isTest() && imported == "testing/synctest" })
	s.uses(func(imported, used, place string) {
		if imported == "time" && used == "Sleep" && !virtual {
			found = append(found, problem{place, "no skipped tests and no sleeping", "sleeps: watch for what is waited for"})
		}
	})
	if !s.isTest() {
		return found
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Skip" || f.Sel.Name == "Skipf" || f.Sel.Name == "SkipNow") {
				found = append(found, problem{s.at(call.Pos()), "no skipped tests and no sleeping", "skips a test"})
			}
		}
		return true
	})
	return found
}
