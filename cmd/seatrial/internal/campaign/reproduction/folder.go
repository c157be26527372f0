package reproduction

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

const (
	// File is what `seatrial campaign --reproduce` takes.
	File = "finding.json"
	// Script runs that.
	Script = "reproduce.sh"
	// Test is a Go test that does.
	Test = "reproduce_test.go"
)

//go:embed reproduce.sh.txt
var script string

//go:embed reproduce_test.go.txt
var test string

// ours are the files of a folder that was written before.
var ours = regexp.MustCompile(`^(\d\d+-[A-Za-z0-9_.-]*\.yaml|finding\.json|reproduce\.sh|reproduce_test\.go)$`)

// Write writes a folder: the custom resource as it is applied, a file for each time, the seed
// first; what it refers to stands before it, and what it overtakes in a file of its own. Beside them are [File],
// [Script] and [Test]. What Write has written there before goes; other files stay.
func Write(folder string, r *Reproduction) error {
	files, err := r.files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, f := range old {
		if f.Type().IsRegular() && ours.MatchString(f.Name()) {
			if err := os.Remove(filepath.Join(folder, f.Name())); err != nil {
				return err
			}
		}
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(folder, f.name), []byte(f.text), f.mode); err != nil {
			return err // the others have no room either
		}
	}
	return nil
}

type file struct {
	name, text string
	mode       os.FileMode
}

// steps are the files of the resources, in the order in which they are applied.
func (r *Reproduction) steps() ([]file, error) {
	resources, err := r.Resources()
	if err != nil {
		return nil, err
	}
	var all []file
	add := func(name, comment string, objects ...history.Object) error {
		text := "# " + line(comment) + "\n"
		for i, o := range objects {
			document, err := yaml.Marshal(o)
			if err != nil {
				return err
			}
			if i > 0 {
				text += "---\n"
			}
			text += string(document)
		}
		all = append(all, file{fmt.Sprintf("%02d-%s.yaml", len(all), name), text, 0o600})
		return nil
	}
	if n := len(resources) - 1; r.Behind == Creation {
		var made []history.Object
		for _, o := range r.Operations {
			made = append(made, o.Objects...)
		}
		err := add("seed", "the seed", append(made, resources[n])...)
		return all, err
	}
	if err := add("seed", "the seed", resources[0]); err != nil {
		return nil, err
	}
	for i, o := range r.Operations {
		name, objects := FileName(o.Property), o.Objects
		if len(o.Overtakes) > 0 {
			begun, err := o.Begun(resources[i])
			if err != nil {
				return nil, err
			}
			if err := add(name, "apply the next file as soon as the operator has begun with this one", append(objects[:len(objects):len(objects)], begun)...); err != nil {
				return nil, err
			}
			objects = nil
		}
		if err := add(name, o.Name, append(objects[:len(objects):len(objects)], resources[i+1])...); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *Reproduction) files() ([]file, error) {
	all, err := r.steps()
	if err != nil {
		return nil, err
	}
	encoded, err := r.Encode()
	if err != nil {
		return nil, err
	}
	about := strings.NewReplacer("@TEXT@", line(r.Found.Text), "@BEHIND@", r.Behind.words(), "@NAME@", line(r.Name))
	return append(all,
		file{File, string(encoded), 0o600}, // the operator's environment is in it
		file{Script, about.Replace(script), 0o755},
		file{Test, about.Replace(test), 0o644},
	), nil
}

// words say what is done at the end.
func (b Behind) words() string {
	switch b {
	case Restart:
		return "; then the operator is killed and started again"
	case Deletion:
		return "; then the custom resource is deleted"
	case Creation:
		return ": the custom resource is new, and was never another"
	}
	return ""
}

// line is a text for a comment: one line, of what can be shown.
func line(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != unicode.ReplacementChar {
			return r
		}
		return ' '
	}, text))
}

// fileNameMax bounds a file's name, in bytes.
const fileNameMax = 100

// FileName is a name without what means something in a path or to a shell.
func FileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, ".-"))
	if name == "" {
		return "_"
	}
	return name[:min(len(name), fileNameMax)]
}
