// Package output is what -o means: the formats of a command's result and the
// files that it goes to.
package output

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	reporttext "github.com/seatrial/seatrial/report/text"
)

// Output is one form of the report and where it goes.
type Output struct {
	Format string
	// File is empty for standard output.
	File string
}

// The formats.
const (
	Text = "text"
	JSON = "json"
)

// Parse reads the -o flags. If none writes to standard output, the text
// does.
func Parse(flags []string) ([]Output, error) {
	var outputs []Output
	taken := make(map[string]bool)
	for _, flag := range flags {
		format, file, named := strings.Cut(flag, "=")
		if format != Text && format != JSON {
			return nil, fmt.Errorf("-o %s: the format is one of %s, %s", flag, Text, JSON)
		}
		if named && file == "" {
			return nil, fmt.Errorf("-o %s: the file's name is missing", flag)
		}
		if file == "-" {
			file = ""
		}
		place := filepath.Clean(file)
		if file == "" {
			place = ""
		}
		if taken[place] {
			if file == "" {
				return nil, errors.New("-o: standard output takes one format; give the others a file, as in -o json=report.json")
			}
			return nil, fmt.Errorf("-o %s: %s is given twice", flag, file)
		}
		taken[place] = true
		if err := writable(file); err != nil {
			return nil, fmt.Errorf("-o %s: %w", flag, err)
		}
		outputs = append(outputs, Output{Format: format, File: file})
	}
	if !taken[""] {
		outputs = append(outputs, Output{Format: Text})
	}
	return outputs, nil
}

// writable finds out before a long check what would fail after it.
func writable(file string) error {
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
// there even if nobody reads standard output any more. It returns everything
// that went wrong and goes on after each failure.
func Write(c *console.Console, outputs []Output, d Document) error {
	var failed []error
	for _, toFile := range []bool{true, false} {
		for _, o := range outputs {
			if (o.File != "") == toFile {
				failed = append(failed, o.write(c, d))
			}
		}
	}
	return errors.Join(failed...)
}

func (o Output) write(c *console.Console, d Document) error {
	var b bytes.Buffer
	if err := o.render(&b, c, d); err != nil {
		return err
	}
	if o.File == "" {
		if _, err := c.Streams.Out.Write(b.Bytes()); err != nil {
			return fmt.Errorf("write standard output: %w", cause(err))
		}
		return nil
	}
	if err := replace(o.File, b.Bytes()); err != nil {
		return fmt.Errorf("write %s: %w", o.File, cause(err))
	}
	return nil
}

// Document is what can be rendered.
type Document interface {
	JSON(w io.Writer) error
	Text(w io.Writer, o reporttext.Options) error
}

func (o Output) render(w io.Writer, c *console.Console, d Document) error {
	if o.Format == JSON {
		return d.JSON(w)
	}
	s := c.Streams
	color, width := s.ColorOut(c.Color), s.Width()
	if o.File != "" {
		color, width = s.ColorFile(c.Color), 80
	}
	return d.Text(w, reporttext.Options{Width: width, Color: color, ASCII: c.ASCII(), Quiet: c.Quiet})
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
