package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kept are programs that are kept between runs: to link one takes longer than many a package's tests do. A program is
// in a folder that is named by the key of what it was built from, and the time of that folder is when it was last used.
type Kept struct {
	// Folder is where they are; empty for nowhere.
	Folder string
}

// How long programs are kept that nobody uses, as Go's own cache does, and how long if all of them together are larger
// than that.
const (
	unused     = 5 * 24 * time.Hour
	unusedMuch = 24 * time.Hour
	muchBytes  = 8 << 30
)

// Program is the one of a package that was built from what the key says; false if there is none.
func (k Kept) Program(p Package, key string) (Program, bool) {
	if k.Folder == "" || key == "" {
		return Program{}, false
	}
	file := filepath.Join(k.Folder, key, binary(p.Path))
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return Program{}, false
	}
	now := time.Now()
	_ = os.Chtimes(filepath.Dir(file), now, now) // it is only for how long it stays
	return Program{Package: p, File: file}, true
}

// Keep keeps a program, and gives it with the place where it is from now on. What cannot be kept stays where it is.
func (k Kept) Keep(p Program, key string) Program {
	if k.Folder == "" || key == "" || p.File == "" {
		return p
	}
	making, err := os.MkdirTemp(k.Folder, ".new-")
	if err != nil {
		return p
	}
	defer func() { _ = os.RemoveAll(making) }() // what is left goes with the folder around it
	name := binary(p.Path)
	if err := os.Rename(p.File, filepath.Join(making, name)); err != nil {
		return p
	}
	folder := filepath.Join(k.Folder, key)
	if err := os.Rename(making, folder); err == nil || exists(filepath.Join(folder, name)) { // another run may have made it meanwhile
		p.File = filepath.Join(folder, name)
		return p
	}
	_ = os.Rename(filepath.Join(making, name), p.File)
	return p
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Building is a folder for programs that are to be kept, since what is in another file system would be copied. It has
// to be removed.
func (k Kept) Building() (string, error) {
	if err := os.MkdirAll(k.Folder, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(k.Folder, ".new-")
}

// Sweep removes what nobody has used for long, and what killed runs have left.
func (k Kept) Sweep(now time.Time) {
	all, err := os.ReadDir(k.Folder)
	if k.Folder == "" || err != nil {
		return
	}
	type program struct {
		folder string
		used   time.Time
		size   int64
	}
	var programs []program
	var size int64
	for _, e := range all {
		p := program{folder: filepath.Join(k.Folder, e.Name())}
		info, err := e.Info()
		if err != nil || !e.IsDir() {
			continue
		}
		p.used = info.ModTime()
		_ = filepath.WalkDir(p.folder, func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					p.size += info.Size()
				}
			}
			return nil
		})
		programs, size = append(programs, p), size+p.size
	}
	slices.SortFunc(programs, func(a, b program) int { return a.used.Compare(b.used) })
	for _, p := range programs {
		age := now.Sub(p.used)
		if age > unused || age > unusedMuch && (size > muchBytes || strings.HasPrefix(filepath.Base(p.folder), ".new-")) {
			_ = os.RemoveAll(p.folder)
			size -= p.size
		}
	}
}

// Toolchain says with what the go command compiles here: equal texts, equal programs of equal code.
func (m *Module) Toolchain(ctx context.Context) (string, error) {
	said, err := m.Command(ctx, nil, "env", "GOVERSION", "GOROOT", "GOFLAGS", "GOOS", "GOARCH", "GOEXPERIMENT", "GOAMD64", "GOARM", "GOARM64", "GOFIPS140",
		"CGO_ENABLED", "CC", "CXX", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_LDFLAGS", "PKG_CONFIG")
	return string(said), err
}

// ProgramKey is of a program: of its package, of the texts that stand for those of files of the module, and of all else
// that it is built with.
func (p Package) ProgramKey(replace map[string][]byte, with ...string) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s %q\n", p.Key, with)
	var names []string
	for name := range replace {
		folder := filepath.Dir(name)
		_, err := os.Stat(name)
		if slices.Contains(p.Folders, folder) || err != nil { // what is not there is added to the module
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		_, _ = fmt.Fprintf(h, "%s %d\n", name, len(replace[name]))
		_, _ = h.Write(replace[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
