package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// contentFormat asks of packages for what the compiler made of them, and of programs what they are linked from, and how
// they behave as before.
const contentFormat = "{{.ImportPath}}\t{{.BuildID}}\t{{if eq .Name \"main\"}}{{join .Deps \",\"}}\t{{.DefaultGODEBUG}}{{else}}\t{{end}}"

// Contents compiles what tests of packages are linked from, links nothing, and gives for each package, by its import
// path, a key of what is to be linked. It goes by what the compiler made, as go test does: a text in which only a
// comment is another one leads to the same. Of what does not compile there is none. with is part of each key.
func (m *Module) Contents(ctx context.Context, b Build, paths []string, with ...string) map[string]string {
	args := slices.Concat([]string{"list", "-e", "-export", "-test", "-deps", "-f", contentFormat}, m.tags(), b.Flags)
	if b.Race {
		args = append(args, "-race")
	}
	said, err := m.Command(ctx, b.Environment, slices.Concat(args, []string{"--"}, paths)...)
	if err != nil {
		return nil
	}
	made, needs := map[string]string{}, map[string][]string{}
	for line := range strings.Lines(string(said)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			continue
		}
		made[fields[0]] = fields[1][strings.LastIndexByte(fields[1], '/')+1:] // behind it is what the compiler made, before it from what
		made[fields[0]] += fields[3]                                          // the linker puts it in
		if fields[2] != "" {
			needs[fields[0]] = strings.Split(fields[2], ",")
		}
	}
	out := map[string]string{}
	for _, p := range paths {
		if key := contentKey(append(needs[p+".test"], p+".test"), made, with); key != "" {
			out[p] = key
		}
	}
	return out
}

// contentKey is of packages that are linked; empty if it is not known what the compiler made of one.
func contentKey(packages []string, made map[string]string, with []string) string {
	slices.Sort(packages)
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q\n", with)
	for _, p := range packages {
		if made[p] == "" && p != "unsafe" {
			return ""
		}
		_, _ = fmt.Fprintf(h, "%s %s\n", p, made[p])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Asked is what processes of tests asked the system for.
type Asked struct {
	Variables []string `json:"variables,omitempty"`
	Files     []string `json:"files,omitempty"` // absolute paths
}

// Add adds what another process asked for.
func (a *Asked) Add(b Asked) {
	a.Variables = sortedSet(slices.Concat(a.Variables, b.Variables))
	a.Files = sortedSet(slices.Concat(a.Files, b.Files))
}

// Asked is what a test asked for, but for what is its own.
func (m *Module) Asked(o *Outcome) Asked { return m.asked(o, "") }

// asked is that of a process which has a folder of its own.
func (m *Module) asked(o *Outcome, folder string) Asked {
	own := []string{record.Variable, "TMPDIR", "PWD"}
	variables := slices.DeleteFunc(slices.Clone(o.Variables), func(name string) bool { return slices.Contains(own, name) })
	return Asked{variables, m.lasting(o.Files, folder)}
}

func sortedSet(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// State says what the system answers now: equal texts, equal answers. Of large files it is the size and the time.
func (m *Module) State(a Asked) string {
	h := sha256.New()
	given := map[string]string{}
	for _, e := range m.Environment {
		name, _, _ := strings.Cut(e, "=")
		given[name] = e // the last one counts
	}
	if m.work != "" { // which is another one in each run
		delete(given, "GOWORK")
	}
	for _, name := range a.Variables {
		_, _ = fmt.Fprintf(h, "%q\n", given[name])
	}
	for _, file := range a.Files {
		_, _ = fmt.Fprintf(h, "%q ", file)
		fileState(h, file)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

func fileState(h io.Writer, file string) {
	const most = 1 << 20
	info, err := os.Stat(file)
	switch {
	case err != nil:
		_, _ = io.WriteString(h, "none\n")
	case info.IsDir():
		entries, err := os.ReadDir(file)
		_, _ = fmt.Fprintf(h, "folder %t", err == nil)
		for _, e := range entries {
			_, _ = fmt.Fprintf(h, " %q", e.Name())
		}
	case !info.Mode().IsRegular():
		_, _ = fmt.Fprintf(h, "%s\n", info.Mode())
	case info.Size() > most:
		_, _ = fmt.Fprintf(h, "%d %d\n", info.Size(), info.ModTime().UnixNano())
	default:
		text, err := os.ReadFile(file)
		_, _ = fmt.Fprintf(h, "%d %t\n", len(text), err == nil)
		_, _ = h.Write(text)
	}
}

// lasting are files that may be there the next time, too: those of the module, and of others not what is made for a
// process.
func (m *Module) lasting(files []string, folder string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		below := func(folder string) bool {
			within, err := filepath.Rel(folder, file)
			return err == nil && filepath.IsLocal(within)
		}
		return below(folder) || !below(m.Directory) && slices.ContainsFunc([]string{os.TempDir(), "/proc", "/sys", "/dev"}, below)
	})
}
