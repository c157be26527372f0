package manifest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seatrial/seatrial/finding"
)

const (
	// fileBytesMax is the largest file that is read.
	fileBytesMax = 32 << 20
	// folderDepthMax bounds the nesting of folders.
	folderDepthMax = 64
	// stdinName stands for standard input in locations.
	stdinName = "<stdin>"
)

// file is one file's content.
type file struct {
	name string
	data []byte
	// found: it was not named, but found in a folder that was.
	found bool
	// text is what it is instead of a file; nil for a file.
	text *Text
}

// reader collects files from paths.
type reader struct {
	ctx      context.Context
	stdin    io.Reader
	files    []file
	problems Problems
	// dangling are the symlinks of folders that lead nowhere: part of a checkout, as
	// often as not, whose other part is not there.
	dangling Problems
	seen     map[string]bool
	// manifests counts what a folder holds with a known extension.
	manifests int
	// depth is how deep in folders the reader is; named are the real paths of the
	// files that are named themselves.
	depth int
	named map[string]bool
}

// readAll reads every path in order: a file whatever its name, a folder with
// everything below it, "-" for standard input. A file that is reached twice is
// read once.
func readAll(ctx context.Context, paths []string, stdin io.Reader) (files []file, problems, dangling Problems) {
	r := &reader{ctx: ctx, stdin: stdin, seen: map[string]bool{}, named: map[string]bool{}}
	for _, path := range paths {
		if realPath, err := realPathOf(path); err == nil && path != "-" {
			r.named[realPath] = true
		}
	}
	for _, path := range paths {
		switch info, err := os.Stat(path); {
		case path == "-":
			r.read(stdinName, false, func() (io.ReadCloser, error) { return io.NopCloser(stdin), nil })
		case path == "":
			r.fail("", "an empty path: name a file or folder, or - for standard input")
		case err != nil:
			r.fail(path, pathError(err))
		case info.IsDir():
			before := r.manifests
			broken := len(r.problems) + len(r.dangling)
			r.depth++
			r.folder(path, nil)
			r.depth--
			if r.manifests == before && len(r.problems)+len(r.dangling) == broken {
				r.fail(path, "no manifests in this folder: nothing ends in .yaml, .yml or .json")
			}
		default:
			r.file(path)
		}
	}
	return r.files, r.problems, r.dangling
}

func (r *reader) fail(path, message string) {
	r.problems = append(r.problems, Problem{Location: finding.Location{File: path}, Message: message})
}

// folder reads a folder; above are the real paths of the folders it is in.
func (r *reader) folder(path string, above []string) {
	if err := r.ctx.Err(); err != nil {
		r.fail(path, fmt.Sprintf("reading was cut short: %v", err))
		return
	}
	realPath, err := realPathOf(path)
	if err != nil {
		r.fail(path, pathError(err))
		return
	}
	for _, ancestor := range above {
		if ancestor == realPath {
			r.fail(path, "a symlink loop: it leads back to "+realPath)
			return
		}
	}
	if len(above) >= folderDepthMax {
		r.fail(path, fmt.Sprintf("folders nested more than %d deep", folderDepthMax))
		return
	}
	if r.seen[realPath] {
		r.manifests++ // read before
		return
	}
	r.seen[realPath] = true
	entries, err := os.ReadDir(path)
	if err != nil {
		r.fail(path, pathError(err))
		return
	}
	above = append(above[:len(above):len(above)], realPath)
	for _, entry := range entries {
		name := filepath.Join(path, entry.Name())
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && hasManifestName(name):
			r.dangling = append(r.dangling, Problem{Location: finding.Location{File: name}, Message: "a symlink that leads nowhere"})
		case err != nil && (hasManifestName(name) || filepath.Ext(name) == ""):
			r.fail(name, pathError(err))
		case err != nil:
		case info.IsDir():
			r.folder(name, above)
		case hasManifestName(name) && !info.Mode().IsRegular():
			r.manifests++
			r.fail(name, "not a regular file")
		case hasManifestName(name):
			r.file(name)
		}
	}
}

func hasManifestName(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

func (r *reader) file(path string) {
	r.manifests++
	found := r.depth > 0
	if realPath, err := realPathOf(path); err == nil {
		if r.seen[realPath] {
			return
		}
		r.seen[realPath] = true
		found = found && !r.named[realPath]
	}
	r.read(path, found, func() (io.ReadCloser, error) { return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) }) // a FIFO that nobody writes is empty
}

// realPathOf is the absolute path without symlinks.
func realPathOf(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(resolved)
}

func (r *reader) read(name string, found bool, open func() (io.ReadCloser, error)) {
	if err := r.ctx.Err(); err != nil {
		r.fail(name, fmt.Sprintf("reading was cut short: %v", err))
		return
	}
	in, err := open()
	if err != nil {
		r.fail(name, pathError(err))
		return
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, fileBytesMax+1))
	switch {
	case err != nil:
		r.fail(name, pathError(err))
	case len(data) > fileBytesMax:
		r.fail(name, fmt.Sprintf("larger than %d MiB: split it or pass only the objects to check", fileBytesMax>>20))
	default:
		r.files = append(r.files, file{name: name, data: data, found: found})
	}
}

// pathError is an operating system's error without the path, which stands
// before it already.
func pathError(err error) string {
	var pathErr *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ELOOP):
		return "a symlink loop"
	case errors.As(err, &pathErr):
		return pathErr.Err.Error()
	case strings.Contains(err.Error(), "too many links"):
		return "a symlink loop"
	}
	return err.Error()
}
