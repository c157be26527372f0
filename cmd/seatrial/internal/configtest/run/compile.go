package run

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Build says how tests are compiled.
type Build struct {
	// Flags and Environment make the instrumentation, beside what the module has.
	Flags, Environment []string
	// Race adds the race detector.
	Race bool
	// Folder is where programs go.
	Folder string
}

// Program is the tests of a package, compiled.
type Program struct {
	Package
	// File is the program; empty if Problem says why there is none.
	File string
}

// Compile compiles the tests of packages. One that does not compile has a Problem, and the others are
// compiled all the same.
func (m *Module) Compile(ctx context.Context, b Build, packages []Package) ([]Program, error) {
	out := make([]Program, len(packages))
	var rounds [][]int // the go command names programs by the last element of a path, so that equal ones are compiled apart
	var taken []map[string]bool
	for i, p := range packages {
		out[i].Package = p
		if p.Problem != "" {
			continue
		}
		name, round := binary(p.Path), 0
		for round < len(rounds) && taken[round][name] {
			round++
		}
		if round == len(rounds) {
			rounds, taken = append(rounds, nil), append(taken, map[string]bool{})
		}
		rounds[round], taken[round][name] = append(rounds[round], i), true
	}
	for n, round := range rounds {
		folder := filepath.Join(b.Folder, fmt.Sprint(n))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		if err := m.round(ctx, b, folder, out, round); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// round compiles some packages at once, or, as nothing is written where one does not compile, without
// those; and one by one where it is not said which those are.
func (m *Module) round(ctx context.Context, b Build, folder string, out []Program, round []int) error {
	for len(round) > 0 {
		var paths []string
		for _, i := range round {
			paths = append(paths, out[i].Path)
		}
		said, whole, err := m.compile(ctx, b, folder, paths)
		if err != nil {
			return err
		}
		var left []int
		for _, i := range round {
			file, why := filepath.Join(folder, binary(out[i].Path)), problem(said, out[i].Path, len(round) == 1)
			switch {
			case whole:
				out[i].File = file
			case why != "":
				out[i].Problem = why
			default:
				left = append(left, i)
			}
		}
		if whole {
			return nil
		}
		if len(left) == len(round) {
			for _, i := range left {
				if err := m.round(ctx, b, folder, out, []int{i}); err != nil {
					return err
				}
			}
			return nil
		}
		round = left
	}
	return nil
}

func (m *Module) compile(ctx context.Context, b Build, folder string, paths []string) (said string, whole bool, err error) {
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", folder + string(filepath.Separator)}, m.tags(), b.Flags)
	if b.Race {
		args = append(args, "-race")
	}
	if own, err := m.Command(ctx, nil, "env", "GOFLAGS"); err == nil && !strings.Contains(string(own), "-ldflags") {
		args = append(args, "-ldflags=-s") // as go test does when it runs the program: linking takes half as long
	}
	said, err = m.build(ctx, b, slices.Concat(args, paths)...)
	if ctx.Err() != nil {
		return "", false, ctx.Err()
	}
	return said, err == nil, nil
}

// Compiles tells of packages, by their import paths, why they do not compile; of those that do it says nothing. What is
// built is in the cache of the go command only.
func (m *Module) Compiles(ctx context.Context, b Build, paths []string) (map[string]string, error) {
	said, err := m.build(ctx, b, slices.Concat([]string{"build"}, m.tags(), b.Flags, []string{"--"}, paths)...)
	out := map[string]string{}
	if err == nil || ctx.Err() != nil {
		return out, ctx.Err()
	}
	for _, at := range heading.FindAllStringSubmatch(said, -1) {
		out[at[1]] = problem(said, at[1], false)
	}
	return out, nil
}

var heading = regexp.MustCompile(`(?m)^# (\S+)( \[.*\])?$`)

// problem is the first thing that the go command says of a package; of anything, if the package is the only one.
func problem(said, importPath string, only bool) string {
	places := heading.FindAllStringSubmatchIndex(said, -1)
	for i, at := range places {
		end := len(said)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		text, rest, _ := strings.Cut(strings.TrimSpace(said[at[1]:end]), "\n")
		if strings.HasSuffix(text, ":") { // what to do is on the next line
			next, _, _ := strings.Cut(rest, "\n")
			text += next
		}
		if of := said[at[2]:at[3]]; only || of == importPath || strings.TrimSuffix(of, "_test") == importPath {
			return oneLine(text)
		}
	}
	if only {
		return cmp.Or(oneLine(lastLines(said, 1)), "it does not compile, and the go command does not say why")
	}
	return ""
}
