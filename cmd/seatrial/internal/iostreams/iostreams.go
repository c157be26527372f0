// Package iostreams is the only door to the terminal: the standard streams,
// what is known of the terminal behind them, and the environment variables
// that people use to say what they want of it.
package iostreams

import (
	"bytes"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/term"
)

// Streams are a process's standard streams. Out is the product and Err the
// conversation.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	outTTY, errTTY bool
	columns        int // of the terminal behind Out; 0 means unknown
	env            func(string) string
}

// System returns this process's streams. A write to a pipe that nobody reads
// becomes an error instead of a silent death.
func System() *Streams {
	signal.Ignore(syscall.SIGPIPE)
	s := &Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		outTTY: term.IsTerminal(int(os.Stdout.Fd())),
		errTTY: term.IsTerminal(int(os.Stderr.Fd())),
		env:    os.Getenv,
	}
	if s.outTTY {
		if columns, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			s.columns = columns
		}
	}
	return s
}

// Terminal says what a test pretends to be connected to.
type Terminal struct {
	Out, Err bool
	Columns  int
	Env      map[string]string
}

// Test returns streams that are buffers.
func Test(in string, t Terminal) (s *Streams, out, err *bytes.Buffer) {
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return &Streams{
		In: strings.NewReader(in), Out: out, Err: err,
		outTTY: t.Out, errTTY: t.Err, columns: t.Columns,
		env: func(name string) string { return t.Env[name] },
	}, out, err
}

// ColorMode is what the user says about colours.
type ColorMode string

const (
	// ColorAuto colours a terminal, unless NO_COLOR is set, TERM is dumb or
	// CLICOLOR is 0; CLICOLOR_FORCE colours anything but for NO_COLOR.
	ColorAuto ColorMode = "auto"
	// ColorAlways colours whatever the environment says.
	ColorAlways ColorMode = "always"
	// ColorNever does not colour.
	ColorNever ColorMode = "never"
)

// ColorOut says whether to colour what is written to Out.
func (s *Streams) ColorOut(m ColorMode) bool { return s.color(m, s.outTTY) }

// ColorErr says whether to colour what is written to Err.
func (s *Streams) ColorErr(m ColorMode) bool { return s.color(m, s.errTTY) }

// ColorFile says whether to colour a file that the user names.
func (s *Streams) ColorFile(m ColorMode) bool { return m == ColorAlways }

func (s *Streams) color(m ColorMode, tty bool) bool {
	switch m {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	switch force := s.env("CLICOLOR_FORCE"); {
	case s.env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case s.env("TERM") == "dumb", s.env("CLICOLOR") == "0":
		return false
	}
	return tty
}

// Env is the value of an environment variable, empty if there is none.
func (s *Streams) Env(name string) string { return s.env(name) }

// Rewritable says whether a line on Err can be written over: it is a terminal
// that knows how.
func (s *Streams) Rewritable() bool { return s.errTTY && s.env("TERM") != "dumb" }

// Width is the number of columns to fill: 80, or the terminal's, from 60 to 120.
func (s *Streams) Width() int {
	if !s.outTTY || s.columns <= 0 {
		return 80
	}
	return min(max(s.columns, 60), 120)
}

// UTF8 says whether the locale can show more than ASCII.
func (s *Streams) UTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := s.env(name); locale != "" {
			locale = strings.ToLower(locale)
			return strings.Contains(locale, "utf-8") || strings.Contains(locale, "utf8")
		}
	}
	return runtime.GOOS == "windows"
}
