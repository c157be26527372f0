// Package instrument says how the go command builds the tests of a module so that they record what they
// read of their configuration, and can be given values: with copies of the libraries that programs read
// it with, in which some functions say what they do. A file for each library; what the copies write is in package
// record.
//
// Libraries in the module cache are replaced by a go.mod of ours, or in a workspace by a go.work; Go's
// own ones and those in a vendor directory by an overlay. Nothing is written into the module.
package instrument

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// Plan is how the go command is called.
type Plan struct {
	Flags, Environment []string
	Instruments
}

// Instruments are what tests are instrumented with.
type Instruments struct {
	// Libraries are those that the module uses, whether they could be instrumented or not.
	Libraries []Library
	// Shared: tests can be told apart in one process.
	Shared bool
}

// Library is one that the module uses.
type Library struct {
	Path, Version string
	// Problem is why it is not instrumented; empty if it is.
	Problem string
}

func (l Library) String() string {
	if l.Version == "" {
		return l.Path
	}
	return l.Path + " " + l.Version
}

// preparing is a plan that is made.
type preparing struct {
	module  *run.Module
	work    string
	copies  string
	overlay map[string]string // from the path in the module, or of Go, to that of a file of ours
	replace []replacement
	plan    *Plan
	files   int
	watched map[string]bool // of those that are no libraries of the module: whether they record
}

type replacement struct{ path, folder string }

// Prepare makes a plan for a module. work is an empty folder of ours; copies one in which copies of libraries are kept
// between runs, since the go command builds anew what is in another place: it may be work. replace has other texts for
// files of the module, by their paths, and may have files that are not there.
func Prepare(ctx context.Context, m *run.Module, work, copies string, replace map[string][]byte) (*Plan, error) {
	used, err := used(ctx, m)
	if err != nil {
		return nil, err
	}
	broken := map[string]string{} // libraries whose copy does not compile, with the reason
	for {
		p := &preparing{module: m, work: filepath.Join(work, fmt.Sprint(len(broken))), copies: copies, overlay: map[string]string{}, plan: &Plan{}, watched: map[string]bool{}}
		if err := os.Mkdir(p.work, 0o700); err != nil {
			return nil, err
		}
		for _, l := range libraries {
			if of, is := used[l.path]; is {
				p.add(l, of, broken[l.path])
			}
		}
		for _, name := range sorted(replace) {
			if err := p.over(name, replace[name]); err != nil {
				return nil, err
			}
		}
		if err := p.write(ctx); err != nil {
			return nil, err
		}
		if left, err := p.compiled(ctx, broken); err != nil || !left {
			p.plan.Shared = p.watched[testing] && p.watched[testdeps]
			return p.plan, err
		}
	}
}

// compiled compiles the libraries. Those that do not as we made them are added to the broken ones; left tells whether
// there are any, so that the plan is to be made again without them.
func (p *preparing) compiled(ctx context.Context, broken map[string]string) (left bool, err error) {
	var paths []string
	for _, l := range p.plan.Libraries {
		if l.Problem == "" {
			paths = append(paths, l.Path)
		}
	}
	for path, is := range p.watched {
		if is {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	if len(paths) == 0 {
		return false, nil
	}
	why, err := p.module.Compiles(ctx, run.Build{Flags: p.plan.Flags, Environment: p.plan.Environment}, paths)
	for path, text := range why {
		if slices.Contains(paths, path) {
			broken[path], left = text, true
		}
	}
	return left, err
}

func sorted(m map[string][]byte) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Name string
	GoFiles               []string
	Module                *struct {
		Path, Version, Dir, GoMod string
		Main                      bool
		Replace                   *struct{ Path, Version, Dir string }
	}
}

// used are the libraries that tests of the module are built with.
func used(ctx context.Context, m *run.Module) (map[string]listed, error) {
	args := []string{"list", "-e", "-deps", "-test", "-json=ImportPath,Dir,Name,GoFiles,Module"}
	if m.Tags != "" {
		args = append(args, "-tags="+m.Tags)
	}
	said, err := m.Command(ctx, nil, append(args, "./...")...)
	if err != nil {
		return nil, err
	}
	out := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(said)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		out[l.ImportPath] = l
	}
}

// add instruments a library, or notes why not; broken is why its copy does not compile.
func (p *preparing) add(l library, of listed, broken string) {
	told := Library{Path: l.path}
	if of.Module != nil {
		told.Version = of.Module.Version
	}
	if broken != "" {
		told.Problem = "this version is not known: with what records added it does not compile: " + broken
	} else if err := p.copied(l, of); err != nil {
		told.Problem = err.Error()
	}
	if l.own {
		p.watched[l.path] = told.Problem == ""
		return
	}
	p.plan.Libraries = append(p.plan.Libraries, told)
}

// copied makes what stands for a library.
func (p *preparing) copied(l library, of listed) error {
	changed := l.added(of.Name)
	done := map[int]bool{}
	for _, name := range of.GoFiles {
		source, err := os.ReadFile(filepath.Join(of.Dir, name))
		if err != nil {
			return err
		}
		text, has, err := apply(name, source, l.patches)
		if err != nil {
			return err
		}
		if len(has) > 0 {
			changed[name] = text
		}
		for _, i := range has {
			done[i] = true
		}
	}
	for i, patch := range l.patches {
		if !done[i] && !patch.optional {
			return fmt.Errorf("this version is not known: it has no function %s like that of others", patch)
		}
	}
	if l.standard() || of.Module == nil || p.vendored(of) {
		for _, name := range sorted(changed) {
			if err := p.over(filepath.Join(of.Dir, name), changed[name]); err != nil {
				return err
			}
		}
		return nil
	}
	return p.copy(of, changed)
}

// vendored tells whether a package is in the module's vendor directory, or is the module's own.
func (p *preparing) vendored(of listed) bool {
	return of.Module.Main || strings.HasPrefix(of.Dir, p.module.Directory+string(filepath.Separator))
}

// over puts a file of ours over another one.
func (p *preparing) over(name string, text []byte) error {
	p.files++
	to := filepath.Join(p.work, fmt.Sprintf("over-%d.go", p.files))
	p.overlay[name] = to
	return os.WriteFile(to, text, 0o600)
}

// copy copies a module with some files changed.
func (p *preparing) copy(of listed, changed map[string][]byte) error {
	root := of.Module.Dir
	if of.Module.Replace != nil && of.Module.Replace.Dir != "" {
		root = of.Module.Replace.Dir
	}
	below, err := filepath.Rel(root, of.Dir)
	if err != nil {
		return err
	}
	kept := p.copies
	if of.Module.Replace != nil && of.Module.Replace.Version == "" {
		kept = p.work // it may be another tomorrow
	}
	folder := filepath.Join(kept, strings.NewReplacer("/", "-", string(filepath.Separator), "-").Replace(of.Module.Path)+"-"+keyOf(root, of, changed))
	p.replace = append(p.replace, replacement{of.Module.Path, folder})
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	making, err := os.MkdirTemp(kept, ".new-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(making) }() // what is left goes with the folder around it
	if err := fill(making, root, below, of, changed); err != nil {
		return err
	}
	// Another run may have made it meanwhile.
	if err := os.Rename(making, folder); err != nil && !errors.Is(err, fs.ErrExist) && !exists(folder) {
		return err
	}
	return nil
}

func exists(folder string) bool {
	_, err := os.Stat(folder)
	return err == nil
}

// keyOf says what a copy is made of.
func keyOf(root string, of listed, changed map[string][]byte) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s %s\n", root, of.Module.Version)
	for _, name := range sorted(changed) {
		_, _ = fmt.Fprintf(h, "%s %d\n%s", name, len(changed[name]), changed[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// fill makes a copy of a module with some files of one package changed.
func fill(folder, root, below string, of listed, changed map[string][]byte) error {
	if err := os.CopyFS(folder, os.DirFS(root)); err != nil {
		return err
	}
	if err := writable(folder); err != nil { // what is in the module cache is read-only
		return err
	}
	if !exists(filepath.Join(folder, "go.mod")) {
		if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module "+of.Module.Path+"\n"), 0o600); err != nil {
			return err
		}
	}
	for name, text := range changed {
		to := filepath.Join(folder, below, name)
		if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may be a link to what is not ours
			return err
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// writable lets a folder be changed and removed.
func writable(folder string) error {
	return filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(name, 0o700) //nolint:gosec // a folder
		case d.Type().IsRegular():
			return os.Chmod(name, 0o600)
		}
		return nil
	})
}

// write writes what the go command is given.
func (p *preparing) write(ctx context.Context) error {
	if len(p.overlay) > 0 {
		text, err := json.Marshal(map[string]any{"Replace": p.overlay})
		if err != nil {
			return err
		}
		name := filepath.Join(p.work, "overlay.json")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
		p.plan.Flags = append(p.plan.Flags, "-overlay="+name)
	}
	if len(p.replace) > 0 {
		if err := p.replaced(ctx); err != nil {
			return err
		}
	}
	return nil
}
