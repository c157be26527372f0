package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Text says what the sources of a module are, those of packages without tests with them: equal texts, equal sources.
func (m *Module) Text() (string, error) {
	h := sha256.New()
	err := m.files(func(name string) bool {
		return filepath.Ext(name) == ".go" || slices.Contains([]string{"go.mod", "go.sum", "modules.txt"}, name)
	}, func(file string, text []byte) error {
		_, _ = fmt.Fprintf(h, "%s %d\n", strings.TrimPrefix(file, m.Directory), len(text))
		_, _ = h.Write(text)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)[:10]), err
}

// Says tells whether a text in the program's own sources, those of tests left out, has a name as a word in it, in small
// letters or capitals; also if they cannot be read.
func (m *Module) Says(name string) bool {
	word := regexp.MustCompile(`(?i)(^|[^\pL\pN_-])` + regexp.QuoteMeta(name) + `([^\pL\pN_-]|$)`)
	err := m.files(func(file string) bool {
		return filepath.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go")
	}, func(_ string, text []byte) error {
		if word.Match(text) && slices.ContainsFunc(texts(text), word.MatchString) {
			return fs.ErrExist
		}
		return nil
	})
	return err != nil
}

// texts are the literal ones of a source.
func texts(source []byte) (out []string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(source)), source, nil, 0)
	for {
		switch _, kind, literal := s.Scan(); kind {
		case token.EOF:
			return out
		case token.STRING:
			out = append(out, literal)
		}
	}
}

// files gives the texts of some files of a module, in the order of their names.
func (m *Module) files(some func(name string) bool, to func(file string, text []byte) error) error {
	return filepath.WalkDir(m.Directory, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != m.Directory && m.foreign(file, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || !some(d.Name()):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return to(file, text)
	})
}

// foreign is for folders that have no packages of the module.
func (m *Module) foreign(folder, name string) bool {
	if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
