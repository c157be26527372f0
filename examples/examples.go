// Package examples has the manifests of the examples inside the program, so that a
// rule can show its own where the repository is not.
package examples

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
)

//go:embed rules/*/*/*.yaml cases/*/*/*.yaml
var files embed.FS

// order is how the files of an example follow each other.
var order = []string{"manifests.yaml", "scenario.yaml"}

// Of are the files of a folder, and how those of another differ. Both are named from
// the root of the repository: examples/rules/SEA1002/fails. An error is for a folder
// that is not there.
func Of(folder, other string) (*finding.Example, error) {
	all, err := read(folder)
	if err != nil {
		return nil, err
	}
	theirs, err := read(other)
	if err != nil {
		return nil, err
	}
	return &finding.Example{Files: all, Difference: difference(all, theirs)}, nil
}

func read(folder string) ([]finding.ExampleFile, error) {
	within, ok := strings.CutPrefix(folder, "examples/")
	if !ok {
		return nil, fmt.Errorf("%s is not below examples", folder)
	}
	var out []finding.ExampleFile
	for _, name := range order {
		text, err := fs.ReadFile(files, path.Join(within, name))
		if err == nil {
			out = append(out, finding.ExampleFile{Name: name, Text: string(text)})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no example %s", folder)
	}
	return out, nil
}

// difference shows in what lines two examples differ: of each file what lies between
// their common beginning and end, with two lines before.
func difference(a, b []finding.ExampleFile) string {
	var out strings.Builder
	for _, name := range order {
		x, y := lines(a, name), lines(b, name)
		if slices.Equal(x, y) {
			continue
		}
		from := 0
		for from < min(len(x), len(y)) && x[from] == y[from] {
			from++
		}
		same := 0
		for same < min(len(x), len(y))-from && x[len(x)-1-same] == y[len(y)-1-same] {
			same++
		}
		fmt.Fprintf(&out, "# %s\n", name)
		for sign, part := range [][]string{x[max(0, from-2):from], x[from : len(x)-same], y[from : len(y)-same]} {
			for _, line := range part {
				fmt.Fprintf(&out, "%c%s\n", " -+"[sign], line)
			}
		}
	}
	return out.String()
}

// lines of a file; none if it is not there.
func lines(all []finding.ExampleFile, name string) []string {
	i := slices.IndexFunc(all, func(f finding.ExampleFile) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(all[i].Text, "\n"), "\n")
}
