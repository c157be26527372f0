package instrument

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// library is one that programs read their configuration with: where its source is changed, and what is added.
type library struct {
	// path is its import path; of several major versions, each is a library.
	path string
	// source is the file in folder source that is added, beside the recorder.
	source string
	// documents: it reads documents, and has what knows those of tests.
	documents bool
	// patches are the places that are changed. One that is not there makes the library one that is not known, unless it
	// is optional.
	patches []patch
	// own: nothing is configured with it, and it is no library of a module.
	own bool
}

// standard tells whether it is one of Go's own.
func (l *library) standard() bool { return !strings.Contains(strings.Split(l.path, "/")[0], ".") }

var libraries []library

// register adds a library from the initialisation of the file that defines it.
func register(l library) {
	libraries = append(libraries, l)
	slices.SortFunc(libraries, func(a, b library) int { return strings.Compare(a.path, b.path) })
}

//go:embed source/*.txt
var sources embed.FS

// added are the files that a copy has beside its own.
func (l *library) added(pkg string) map[string][]byte {
	read := func(name string) []byte {
		text, err := sources.ReadFile(path.Join("source", name+".go.txt"))
		if err != nil {
			panic(err) // it is part of this program
		}
		return []byte(strings.NewReplacer("PACKAGE", pkg, `"PATH"`, `"`+l.path+`"`).Replace(string(text)))
	}
	out := map[string][]byte{"seatrial_recorder.go": read("recorder"), "seatrial_" + l.source + ".go": read(l.source)}
	if l.documents {
		out["seatrial_document.go"] = read("document")
	}
	return out
}

// Version says what is done to libraries: equal ones, equal copies of equal libraries.
var Version = sync.OnceValue(func() string {
	h := sha256.New()
	for _, l := range libraries {
		_, _ = fmt.Fprintf(h, "%+v\n", l)
	}
	_ = fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		_, _ = fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8])
})
