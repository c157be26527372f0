package change

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const examples = "../../../../../examples/configtest"

// truth is what is said by hand of an example.
type truth struct {
	Config, Root string
	Parameters   []struct {
		ID      string
		Aliases []string
	}
	Tests []struct {
		Test               string
		Reads, Sets, Makes []string
	}
	Seeded []struct {
		Change, Class, Misspelt                        string
		Culprit, Breaks, Hardcoded, Overridden, Unread []string
	}
	// Generate is what is to be found with values that are made, which is looked at elsewhere.
	Generate any
}

// TestExamples: what is seeded in the examples is seen as a change of its culprits, and what is
// written of them by hand speaks of parameters and files that there are.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob(examples + "/*/truth.yaml")
	if err != nil || len(files) != 4 {
		t.Fatalf("there are %v, %v", files, err)
	}
	for _, file := range files {
		folder := filepath.Dir(file)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var truth truth
			decoder := yaml.NewDecoder(bytes.NewReader(text))
			decoder.KnownFields(true)
			if err := decoder.Decode(&truth); err != nil {
				t.Fatal(err)
			}
			truth.knows(t)
			before, err := Read(t.Context(), folder, truth.Config)
			if err != nil {
				t.Fatal(err)
			}
			seeded, err := filepath.Glob(folder + "/seeded/*.yaml")
			if err != nil || len(seeded) != len(truth.Seeded) {
				t.Errorf("%d changes are described, and there are %d, %v", len(truth.Seeded), len(seeded), err)
			}
			for _, s := range truth.Seeded {
				after, err := Read(t.Context(), folder, s.Change)
				if err != nil {
					t.Fatal(err)
				}
				changes := Between(before, after)
				if len(changes) == 0 {
					t.Errorf("%s: nothing differs", s.Change)
				}
				for _, id := range slices.Concat(s.Culprit, s.Overridden, s.Unread) {
					if !slices.ContainsFunc(changes, func(c Change) bool { return is(c.Path, id) }) {
						t.Errorf("%s: %s is not among the changes\n%s", s.Change, id, lines(changes))
					}
				}
			}
		})
	}
}

// is says whether a path is that of a parameter, or below it.
func is(path, id string) bool {
	if _, name, has := strings.Cut(id, ":"); has {
		id = name
	}
	return path == id || strings.HasPrefix(path, id+".")
}

// knows holds that all that is named is a parameter or a test.
func (x *truth) knows(t *testing.T) {
	t.Helper()
	var parameters, tests []string
	for _, p := range x.Parameters {
		parameters = append(append(parameters, p.ID), p.Aliases...)
	}
	for _, c := range x.Tests {
		tests = append(tests, c.Test)
		for _, id := range slices.Concat(c.Reads, c.Sets) {
			if !slices.Contains(parameters, id) {
				t.Errorf("%s: %s is no parameter", c.Test, id)
			}
			if slices.Contains(c.Reads, id) && slices.Contains(c.Sets, id) {
				t.Errorf("%s: %s is read, and set", c.Test, id)
			}
		}
	}
	for _, all := range [][]string{parameters, tests} {
		slices.Sort(all)
		if len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("something is here twice: %v", all)
		}
	}
	for _, s := range x.Seeded {
		for _, test := range slices.Concat(s.Breaks, s.Hardcoded) {
			if !slices.Contains(tests, test) {
				t.Errorf("%s: there is no test %s", s.Change, test)
			}
		}
	}
}
