package field

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

//go:embed source/*.txt
var sources embed.FS

// replaced are the texts that stand for files of the module, and those that are added.
func (a *analysis) replaced() map[string][]byte {
	out := map[string][]byte{}
	for _, f := range a.files {
		if text := f.rewritten(a.module.Path, a.fset.Position(f.syntax.Name.End()).Offset); text != nil {
			out[f.name] = text
		}
	}
	if len(out) == 0 {
		return out
	}
	folder := filepath.Join(a.module.Directory, "internal", recorder)
	parts, err := sources.ReadDir("source")
	if err != nil {
		panic(err) // it is part of this program
	}
	for _, part := range parts {
		text, err := sources.ReadFile("source/" + part.Name())
		if err != nil {
			panic(err)
		}
		out[filepath.Join(folder, strings.TrimSuffix(part.Name(), ".txt"))] = text
	}
	out[filepath.Join(folder, "table.go")] = a.table()
	return out
}

// key is of what is known of the module, whichever of its files says so.
func (a *analysis) key() string {
	h := sha256.New()
	_, _ = h.Write(a.table())
	var held []string
	for of, ids := range a.holders {
		file, _, _ := strings.Cut(strings.TrimPrefix(of, a.module.Directory), ":") // on another line it is still the same
		held = append(held, fmt.Sprintf("%s %q", file, ids))
	}
	slices.Sort(held)
	_, _ = fmt.Fprintf(h, "%q", held)
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// table is what the recorder knows of the module.
func (a *analysis) table() []byte {
	imports, apply := map[string]string{}, ""
	for _, r := range a.roots {
		if r.decoder == nil || r.decoder.tag == "" {
			continue
		}
		if r.decoder.apply == "" { // it takes JSON
			apply += fmt.Sprintf("\t%q: plain,\n", r.id)
			continue
		}
		for _, path := range r.decoder.candidates(slices.Sorted(maps.Keys(a.imports))) {
			if a.useless[path] {
				continue
			}
			if imports[path] == "" {
				imports[path] = fmt.Sprintf("decoder%d", len(imports))
			}
			apply += fmt.Sprintf("\t%q: %s,\n", r.id, r.applied(imports[path]))
			break
		}
	}
	var b strings.Builder
	b.WriteString("//go:build go1.21\n\npackage " + recorder + "\n\n")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&b, "import %s %q\n", imports[path], path)
	}
	fmt.Fprintf(&b, "\nvar decoders = map[string]func(map[string]any, any) error{\n%s}\n", apply)
	fmt.Fprintf(&b, "\nvar strict = map[string]func(map[string]any, any) error{\n%s}\n", a.strictDecoders(imports))
	b.WriteString("\nvar hooked = map[string]bool{\n")
	for _, r := range a.roots {
		if r.hooked {
			fmt.Fprintf(&b, "\t%q: true,\n", r.id)
		}
	}
	b.WriteString("}\n\nvar parts = []part{\n")
	for _, n := range a.parts {
		fmt.Fprintf(&b, "\t{of: %q, in: %#v, leaves: []leaf{", n.root.id, n.key)
		for _, l := range n.leaves() {
			fmt.Fprintf(&b, "{%q, %#v, %#v}, ", l.id(), l.way[len(n.way):], l.key)
		}
		b.WriteString("}},\n")
	}
	b.WriteString("}\n")
	fed, above := map[string][]string{}, map[string][]string{}
	for _, pair := range pairs(a.aliases) {
		switch leaf := string(pair[1]); {
		case pair[1].Kind() != parameter.Field:
		case pair[0].Kind() == parameter.Flag:
			fed[leaf] = append(fed[leaf], string(pair[0]))
		case pair[0].Kind() == parameter.Env && a.besideFile(pair[1]):
			above[leaf] = append(above[leaf], pair[0].Name())
		}
	}
	writeLists(&b, "fed", fed)
	writeLists(&b, "above", above)
	writeLists(&b, "variables", a.variablesOf())
	tabled := map[string][]string{}
	for name, leaves := range a.tabled {
		for _, leaf := range leaves {
			tabled[name] = append(tabled[name], string(leaf))
		}
	}
	writeLists(&b, "tabled", tabled)
	fmt.Fprintf(&b, "\nvar askers = map[string]bool{\n")
	for _, name := range a.askers() {
		fmt.Fprintf(&b, "\t%q: true,\n", name)
	}
	b.WriteString("}\n")
	a.writeItems(&b)
	b.WriteString("\nvar types = map[string]int{\n")
	for _, key := range slices.Sorted(maps.Keys(a.byType)) {
		if all := a.byType[key]; len(all) == 1 && !strings.Contains(key, " ") {
			fmt.Fprintf(&b, "\t%q: %d,\n", key, all[0].number)
			if t := named(all[0].typ); t.Obj().Pkg().Name() == "main" && t.Obj().Pkg().Path() != "main" {
				fmt.Fprintf(&b, "\t%q: %d,\n", "main."+t.Obj().Name(), all[0].number)
			}
		}
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// besideFile tells whether a leaf is of a type that one library decodes from a file, and from the environment above
// that.
func (a *analysis) besideFile(leaf parameter.ID) bool {
	return slices.ContainsFunc(a.roots, func(r *root) bool {
		return r.decoder != nil && r.decoder.file && strings.HasPrefix(string(leaf), string(r.id)+".")
	})
}

// writeLists writes a variable with lists by their names.
func writeLists(b *strings.Builder, name string, lists map[string][]string) {
	fmt.Fprintf(b, "\nvar %s = map[string][]string{\n", name)
	for _, id := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(b, "\t%q: %#v,\n", id, lists[id])
	}
	b.WriteString("}\n")
}

// rounds are how often what does not compile is left out and the rest looked at again.
const rounds = 6

var line = regexp.MustCompile(`^(.*\.go):(\d+)(:\d+)?$`)

// check compiles what was written as far as types go. What does not is taken back: a line, and in the end a file.
func (a *analysis) check(ctx context.Context, patterns []string) error {
	for round := range rounds {
		overlay := a.replaced()
		if len(overlay) == 0 {
			return nil
		}
		all, err := loaded(ctx, a.module, token.NewFileSet(), patterns, overlay)
		if err != nil {
			return err
		}
		if again := a.takeBack(all, round == rounds-2); !a.takeBackLibraries(all) && !again {
			return nil
		}
	}
	return fmt.Errorf("%s: what was written of its sources does not compile", a.module.Directory)
}

// takeBack drops what does not compile; false if all does.
func (a *analysis) takeBack(all []*packages.Package, whole bool) (again bool) {
	byName := map[string]*file{}
	for _, f := range a.files {
		if len(f.edits)+len(f.added) > 0 && !f.dropped[0] {
			byName[f.name] = f
		}
	}
	for _, p := range all {
		for _, e := range p.Errors {
			at := line.FindStringSubmatch(e.Pos)
			if at == nil || byName[at[1]] == nil {
				continue
			}
			f := byName[at[1]]
			n, _ := strconv.Atoi(at[2])
			if f.isAdded(n) && !whole { // what is asked is seen all the same
				again = again || !f.dropped[n]
				f.dropped[n] = true
				continue
			}
			if whole || !f.dropped[n] && !f.touches(n) { // one line may have several errors
				n = 0
			}
			if !f.dropped[n] {
				f.dropped[n], again = true, true
				a.problems = append(a.problems, fmt.Sprintf("%s:%d: what is read here is not seen: %s", f.below, n, strings.Join(strings.Fields(e.Msg), " ")))
			}
		}
	}
	return again
}

// takeBackLibraries drops libraries that are not as the recorder knows them, so that what uses them does not compile;
// false if all does.
func (a *analysis) takeBackLibraries(all []*packages.Package) (again bool) {
	name, lines := filepath.Join(a.module.Directory, "internal", recorder, "table.go"), strings.Split(string(a.table()), "\n")
	for _, p := range all {
		for _, e := range p.Errors {
			at := line.FindStringSubmatch(e.Pos)
			if at == nil || at[1] != name {
				continue
			}
			n, _ := strconv.Atoi(at[2])
			library, strictly := a.libraryAt(lines[:min(n, len(lines))])
			if library == "" || a.useless[library] || strictly && a.lenient[library] {
				continue
			}
			again = true
			if strictly {
				a.lenient[library] = true
			} else {
				a.useless[library] = true
			}
			a.problems = append(a.problems, fmt.Sprintf("no values are given by %s: it is of a version that is not known: %s", library, strings.Join(strings.Fields(e.Msg), " ")))
		}
	}
	return again
}

var (
	imported = regexp.MustCompile(`^import (decoder\d+) "(.*)"$`)
	uses     = regexp.MustCompile(`\b(decoder\d+)\.`)
)

// libraryAt is the library that the last of some lines of the table is about, and whether it is about what refuses
// keys.
func (a *analysis) libraryAt(lines []string) (library string, strictly bool) {
	name := ""
	for _, text := range slices.Backward(lines) {
		if found := uses.FindStringSubmatch(text); found != nil && name == "" {
			name = found[1]
		}
		strictly = strictly || strings.HasPrefix(text, "var strict = ")
		if found := imported.FindStringSubmatch(text); found != nil && found[1] == name {
			return found[2], strictly
		}
	}
	return "", false
}

// touches tells whether something on a line is changed.
func (f *file) touches(n int) bool {
	return slices.ContainsFunc(f.edits, func(e edit) bool { return e.line == n && !f.dropped[n] })
}
