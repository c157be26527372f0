package spec

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/seatrial/seatrial/spec/syntax"
)

// files are those that were read, each once, in that order.
type files struct {
	mu   sync.Mutex
	read []*syntax.Source
}

// open reads a file.
func (f *files) open(name string) (*syntax.Source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("this is a folder, where a file is expected")}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return f.add(name, string(text)), nil
}

// add notes a file that has been read.
func (f *files) add(name, text string) *syntax.Source {
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.IndexFunc(f.read, func(s *syntax.Source) bool { return s.Name == name }); i >= 0 {
		return f.read[i]
	}
	s := &syntax.Source{Name: name, Text: text}
	f.read = append(f.read, s)
	return s
}

// Files returns the files that have been read so far, each with its text: what a result depends on.
func (s *Spec) Files() []*syntax.Source {
	s.files.mu.Lock()
	defer s.files.mu.Unlock()
	return slices.Clone(s.files.read)
}
