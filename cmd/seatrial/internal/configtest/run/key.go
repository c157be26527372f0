package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keys says of packages what their tests are built from. The go command's build IDs would do, but they
// are of one machine, and a map that is committed is to be known elsewhere as what belongs to the code. So a key
// is of the text of the files of this module and of modules that are folders, and of the versions of all others.
type keys struct {
	module   *Module
	packages map[string]listed
	extra    string
	own      map[string][]byte          // what each package is made of, without what it imports
	closures map[string]map[string]bool // what each package imports, in the end
}

func newKeys(m *Module, all []listed, extra string) *keys {
	k := &keys{module: m, packages: map[string]listed{}, extra: extra, own: map[string][]byte{}, closures: map[string]map[string]bool{}}
	for _, l := range all {
		if l.ForTest == "" {
			k.packages[l.ImportPath] = l
		}
	}
	return k
}

// of is the key of a package's tests, one of what they have beside them, and the folders that they are built from and
// that are no versions.
func (k *keys) of(importPath string) (key, data string, folders []string, err error) {
	l := k.packages[importPath]
	needs := map[string]bool{importPath: true}
	for _, direct := range [][]string{l.Imports, l.TestImports, l.XTestImports} {
		for _, i := range direct {
			for p := range k.closure(i) {
				needs[p] = true
			}
		}
	}
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%s\n%s\n", k.extra, k.module.Tags)
	for _, p := range sortedKeys(needs) {
		own, err := k.made(p)
		if err != nil {
			return "", "", nil, err
		}
		if of := k.packages[p]; of.Module != nil && of.Module.Main {
			folders = append(folders, of.Dir)
		}
		_, _ = fmt.Fprintf(h, "%s %x\n", p, own)
	}
	if err := text(h, l.Dir, slices.Concat(l.TestGoFiles, l.XTestGoFiles, l.TestEmbedFiles, l.XTestEmbedFiles)); err != nil {
		return "", "", nil, err
	}
	d := sha256.New()
	if err := testdata(io.MultiWriter(h, d), filepath.Join(l.Dir, "testdata")); err != nil {
		return "", "", nil, err
	}
	return hex.EncodeToString(h.Sum(nil)[:10]), hex.EncodeToString(d.Sum(nil)[:10]), folders, nil
}

// testdata adds what tests have beside them. Of large files the size stands for the text.
func testdata(h io.Writer, folder string) error {
	const most = 1 << 20
	return filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || !d.Type().IsRegular():
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(h, "%s %d\n", file[len(folder):], info.Size())
		if info.Size() > most {
			return nil
		}
		read, err := os.ReadFile(file)
		_, _ = h.Write(read)
		return err
	})
}

// closure is a package and all that it imports.
func (k *keys) closure(importPath string) map[string]bool {
	if known, is := k.closures[importPath]; is {
		return known
	}
	out := map[string]bool{importPath: true}
	k.closures[importPath] = out
	for _, i := range k.packages[importPath].Imports {
		for p := range k.closure(i) {
			out[p] = true
		}
	}
	return out
}

// made is what a package is made of: its text, or the version of its module.
func (k *keys) made(importPath string) ([]byte, error) {
	if known, is := k.own[importPath]; is {
		return known, nil
	}
	h := sha256.New()
	l := k.packages[importPath]
	vendored := strings.HasSuffix(filepath.ToSlash(l.Dir), "/vendor/"+importPath) // whatever version that says it is
	switch {
	case l.Standard || l.Module == nil:
		_, _ = io.WriteString(h, "std")
	case vendored:
		if err := text(h, l.Dir, l.sources()); err != nil {
			return nil, err
		}
	case !l.Module.Main && l.Module.Replace == nil && l.Module.Version != "":
		_, _ = io.WriteString(h, l.Module.Path+"@"+l.Module.Version)
	case l.Module.Replace != nil && l.Module.Replace.Version != "":
		_, _ = io.WriteString(h, l.Module.Replace.Path+"@"+l.Module.Replace.Version)
	default:
		_, _ = io.WriteString(h, l.Module.GoVersion+"\n")
		if err := text(h, l.Dir, l.sources()); err != nil {
			return nil, err
		}
	}
	k.own[importPath] = h.Sum(nil)
	return k.own[importPath], nil
}

// sources are the files from which a package is compiled.
func (l listed) sources() []string {
	return slices.Concat(l.GoFiles, l.CgoFiles, l.CFiles, l.CXXFiles, l.HFiles, l.SFiles, l.SysoFiles, l.EmbedFiles)
}

// text adds files.
func text(h io.Writer, folder string, files []string) error {
	for _, file := range files {
		full := file
		if !filepath.IsAbs(full) { // what cgo makes is not
			full = filepath.Join(folder, file)
		}
		read, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(h, "%s %d\n", filepath.Base(file), len(read))
		_, _ = h.Write(read)
	}
	return nil
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		if !strings.HasSuffix(k, ".test") {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
