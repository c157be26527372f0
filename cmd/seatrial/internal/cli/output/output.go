// Package output is what -o means: the formats of a command's result and the
// places that it goes to. A format registers itself, in a file of its own.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/finding"
)

// Output is one form of a result and where it goes.
type Output struct {
	Format string
	// File is empty for standard output.
	File string
}

// Plan is what the -o flags of a command mean.
type Plan struct {
	// Outputs are written.
	Outputs []Output
	// Refused says, a line each, which are not, and why. A run goes on without
	// them, and ends as one whose command line is wrong.
	Refused []error
}

// Parse reads the -o flags for a result of one kind. If none names standard
// output, the text goes there. The error is for flags that leave nothing to
// write.
func Parse(flags []string, kind Kind) (Plan, error) {
	var p Plan
	taken := map[string]bool{}
	for _, flag := range flags {
		name, file, named := strings.Cut(flag, "=")
		if file == "-" {
			file = ""
		} else if named && file == "" {
			p.refuse("-o %s: the file's name is missing", flag)
			continue
		}
		place := placeOf(file)
		again := taken[place]
		taken[place] = true
		format := find(name)
		switch {
		case format == nil:
			p.refuse("-o %s: the format is one of %s", flag, strings.Join(Names(), ", "))
		case !format.shows(kind):
			p.refuse("-o %s: a random walk judges nothing; it is shown as %s", flag, strings.Join(names(kind), ", "))
		case again && file == "":
			p.refuse("-o %s: standard output takes one format; give the others a file, as in -o %s=FILE", flag, name)
		case again:
			p.refuse("-o %s: %s is given twice", flag, file)
		default:
			if err := Writable(file); err != nil {
				p.refuse("-o %s: %w", flag, err)
				continue
			}
			p.Outputs = append(p.Outputs, Output{Format: name, File: file})
		}
	}
	if !taken[""] {
		p.Outputs = append(p.Outputs, Output{Format: Text})
	}
	if len(p.Outputs) == 0 {
		return p, p.Refused[0]
	}
	return p, nil
}

func (p *Plan) refuse(format string, args ...any) {
	p.Refused = append(p.Refused, fmt.Errorf(format, args...))
}

// Announce says what is refused, before a result is worked on.
func (p Plan) Announce(c *console.Console) {
	for _, err := range p.Refused {
		c.Fail(err)
	}
}

// placeOf tells when two names are of one file, as far as the names show.
func placeOf(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Clean(file)
}

// Refuse adds something else that was asked for and cannot be written.
func (p *Plan) Refuse(err error) { p.Refused = append(p.Refused, err) }

// Takes tells whether one of the outputs goes to the file.
func (p Plan) Takes(file string) bool {
	return slices.ContainsFunc(p.Outputs, func(o Output) bool { return o.File != "" && placeOf(o.File) == placeOf(file) })
}

// Shows tells whether standard output gets a format.
func (p Plan) Shows(format string) bool {
	return slices.Contains(p.Outputs, Output{Format: format})
}

// Writable finds out before a long check what would fail after it.
func Writable(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return errors.New("this is a folder")
	}
	info, err := os.Stat(filepath.Dir(file))
	switch {
	case err != nil:
		return fmt.Errorf("its folder: %w", cause(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", filepath.Dir(file))
	}
	return nil
}

// Write renders a document once per output: the files first, so that they are
// there even if nobody reads standard output any more. It goes on after each
// failure. The error is everything that went wrong, a line each, and the code what
// that and the outputs that were refused come to.
func (p Plan) Write(c *console.Console, d Document) (finding.Code, error) {
	var codes []finding.Code
	var failed []error
	if len(p.Refused) > 0 {
		codes = append(codes, finding.CodeInput)
	}
	for _, toFile := range []bool{true, false} {
		for _, o := range p.Outputs {
			if (o.File != "") != toFile {
				continue
			}
			if err := o.write(c, d); err != nil {
				failed, codes = append(failed, err), append(codes, CodeOf(err))
			}
		}
	}
	return finding.Worst(codes...), errors.Join(failed...)
}

// CodeOf tells a place that cannot be written, which is the command line's fault,
// from a machine that fails, such as a disk that is full.
func CodeOf(err error) finding.Code {
	for _, place := range []error{fs.ErrNotExist, fs.ErrPermission, syscall.ENOTDIR, syscall.EISDIR, syscall.EROFS, syscall.ENAMETOOLONG} {
		if errors.Is(err, place) {
			return finding.CodeInput
		}
	}
	return finding.CodeInternal
}

func (o Output) write(c *console.Console, d Document) error {
	var b bytes.Buffer
	s := o.setting(c)
	format := find(o.Format)
	if err := format.render(&b, d, s); err != nil {
		return fmt.Errorf("%s: %w", o.Format, err)
	}
	if o.File == "" {
		if _, err := c.Streams.Out.Write(b.Bytes()); err != nil {
			return fmt.Errorf("write standard output: %w", cause(err))
		}
	} else if err := WriteFile(o.File, b.Bytes()); err != nil {
		return err
	}
	if format.Then == nil {
		return nil
	}
	return format.Then(d, s)
}

// Encode is the document as JSON: everything that is known of it.
func Encode(d Document) ([]byte, error) {
	var b bytes.Buffer
	err := find(JSON).render(&b, d, Setting{})
	return b.Bytes(), err
}

// setting is how the output looks where it goes.
func (o Output) setting(c *console.Console) Setting {
	s := c.Streams
	out := Setting{Width: s.Width(), Color: s.ColorOut(c.Color), ASCII: c.ASCII(), Quiet: c.Quiet, Env: s.Env}
	if o.File != "" {
		out.Color, out.Width = s.ColorFile(c.Color), widthOfFiles
	}
	return out
}

// widthOfFiles is the number of columns of a file: nobody knows who reads it.
const widthOfFiles = 80

// WriteFile writes a file whole or not at all.
func WriteFile(file string, data []byte) error {
	if err := replace(file, data); err != nil {
		return fmt.Errorf("write %s: %w", file, cause(err))
	}
	return nil
}

// replace writes a file whole or not at all: beside its place first, then
// renamed. What is not a regular file (a device, a pipe) is written directly.
func replace(file string, data []byte) (err error) {
	mode := fs.FileMode(0o666) // less the umask
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	if info, err := os.Stat(file); err == nil {
		if !info.Mode().IsRegular() {
			return direct(file, data)
		}
		mode = info.Mode().Perm()
	}
	beside := filepath.Join(filepath.Dir(file), fmt.Sprintf(".%s.%d.tmp", filepath.Base(file), os.Getpid()))
	f, err := os.OpenFile(beside, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()         // a second Close only fails
			_ = os.Remove(beside) // the first error is the one to show
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(beside, file)
}

func direct(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// cause drops the path and the call from a file error: the message names the
// path the user gave.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
