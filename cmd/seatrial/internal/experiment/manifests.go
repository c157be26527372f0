package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// bytesMax bounds the manifests of one experiment, in bytes.
const bytesMax = 64 << 20

// Manifests are objects: written in place, or in files and folders that are named.
// After [Load] all are in Objects.
type Manifests struct {
	Paths   []string
	Objects []history.Object

	// placed are those of Objects that stand in files.
	placed []Placed
}

// IsZero tells that nothing is named.
func (m Manifests) IsZero() bool { return len(m.Paths) == 0 && len(m.Objects) == 0 }

// MarshalJSON writes the objects.
func (m Manifests) MarshalJSON() ([]byte, error) {
	var all []any
	for _, p := range m.Paths {
		all = append(all, p)
	}
	for _, o := range m.Objects {
		all = append(all, o)
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads a path, an object, or a list of both.
func (m *Manifests) UnmarshalJSON(data []byte) error {
	*m = Manifests{}
	var items []json.RawMessage
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '[' {
		if err := json.Unmarshal(data, &items); err != nil {
			return err
		}
	} else {
		items = []json.RawMessage{data}
	}
	for _, item := range items {
		switch {
		case item[0] == '"':
			var path string
			if err := json.Unmarshal(item, &path); err != nil {
				return err
			}
			m.Paths = append(m.Paths, path)
		case item[0] == '{':
			if err := m.add(item); err != nil {
				return err
			}
		default:
			return errors.New("manifests are paths or objects")
		}
	}
	return nil
}

// add takes an object, or the items of a List.
func (m *Manifests) add(data []byte) error {
	object := map[string]any{}
	if err := utiljson.Unmarshal(data, &object); err != nil {
		return err
	}
	if len(object) == 0 {
		return nil
	}
	o := history.Object(object)
	if items, ok := object["items"].([]any); ok && strings.HasSuffix(o.Text("kind"), "List") {
		for _, item := range items {
			text, err := json.Marshal(item)
			if err != nil {
				return err
			}
			if err := m.add(text); err != nil {
				return err
			}
		}
		return nil
	}
	switch {
	case o.Text("apiVersion") == "" || o.Text("kind") == "":
		return errors.New("an object has no apiVersion or kind")
	case o.Text("metadata", "name") == "" && o.Text("metadata", "generateName") == "":
		return fmt.Errorf("a %s has no name", o.Text("kind"))
	}
	m.Objects = append(m.Objects, o)
	return nil
}

// resolve reads what Paths name, relative to a folder.
func (m *Manifests) resolve(folder string, budget *int64) error {
	objects := m.Objects
	m.Objects = nil
	for _, path := range m.Paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		files, err := filesOf(path)
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := m.read(file, budget); err != nil {
				return err
			}
		}
	}
	m.Objects = append(m.Objects, objects...)
	m.Paths = nil
	return nil
}

// filesOf is a file, or the manifests of a folder and of those below, in order.
func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)) &&
			!strings.HasPrefix(entry.Name(), "kustomization") {
			files = append(files, file)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		return nil, fmt.Errorf("%s: no .yaml, .yml or .json file is in it", path)
	}
	return files, err
}

func (m *Manifests) read(file string, budget *int64) error {
	placed, err := read(file, budget)
	m.Include(placed...)
	return err
}

// Include adds objects that stand in files.
func (m *Manifests) Include(placed ...Placed) {
	for _, p := range placed {
		m.Objects = append(m.Objects, p.Object)
	}
	m.placed = append(m.placed, placed...)
}

// Place is where an object of this kind and name stands, as file:line; empty if it is in no file.
func (m Manifests) Place(o history.Object) string {
	for _, p := range m.placed {
		if p.is(o) {
			return fmt.Sprintf("%s:%d", p.File, p.Line)
		}
	}
	return ""
}

// Placed is an object and where it stands: File and Line are those of its document.
type Placed struct {
	Object history.Object
	File   string
	Line   int
}

// is tells whether an object has the kind and the name of this one.
func (p Placed) is(o history.Object) bool {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "namespace"}, {"metadata", "name"}} {
		if p.Object.Text(path...) != o.Text(path...) {
			return false
		}
	}
	return true
}

// Read reads files, and the manifests of folders, in order; paths are relative to a folder.
func Read(folder string, paths ...string) ([]Placed, error) {
	budget := int64(bytesMax)
	var all []Placed
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		files, err := filesOf(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			placed, err := read(file, &budget)
			if err != nil {
				return nil, err
			}
			all = append(all, placed...)
		}
	}
	return all, nil
}

func read(file string, budget *int64) (all []Placed, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, errors.Unwrap(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, *budget+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if *budget -= int64(len(data)); *budget < 0 {
		return nil, fmt.Errorf("%s: the manifests have more than %d MiB together", file, bytesMax>>20)
	}
	documents := utilyaml.NewYAMLReader(newLines(data))
	for line := 1; ; {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		var here Manifests
		text, err := yaml.YAMLToJSONStrict(document)
		if err == nil && string(text) != "null" {
			err = here.add(text)
		}
		if err != nil {
			text := oneLine(err)
			if found := lineOf.FindStringSubmatch(text); found != nil {
				within, _ := strconv.Atoi(found[1]) // digits; too many are 0
				line, text = line+max(within-1, 0), found[2]
			}
			return all, fmt.Errorf("%s:%d: %s", file, line, strings.TrimPrefix(text, "yaml: "))
		}
		for _, o := range here.Objects {
			all = append(all, Placed{o, file, line + leading(document)})
		}
		line += bytes.Count(document, []byte("\n")) + 1
	}
}

// leading counts the lines of a document before it says anything.
func leading(document []byte) (n int) {
	for line := range bytes.Lines(document) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' && !bytes.Equal(line, []byte("---")) {
			return n
		}
		n++
	}
	return 0
}

// Add reads more files and folders.
func (m *Manifests) Add(paths []string) error {
	budget := int64(bytesMax)
	more := Manifests{Paths: paths}
	if err := more.resolve(".", &budget); err != nil {
		return err
	}
	m.Objects = append(m.Objects, more.Objects...)
	m.placed = append(m.placed, more.placed...)
	return nil
}
