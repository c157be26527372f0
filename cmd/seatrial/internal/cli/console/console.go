// Package console is the conversation of a command with its user: what goes to
// stderr, how much of it, and how it looks.
package console

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/trace"
)

// Console is shared by all commands of one process.
type Console struct {
	Streams *iostreams.Streams
	Color   iostreams.ColorMode
	// Verbose is how often -v was given: once reasons, twice debug.
	Verbose int
	// Quiet leaves findings and errors only.
	Quiet bool
	// Version is seatrial's own.
	Version string
	// Now is the clock: nothing below the command line has another.
	Now func() time.Time

	mu     sync.Mutex
	log    []byte
	status bool   // the line under the cursor is to be written over
	stops  string // see AtInterrupt
}

// New returns a console that colours terminals.
func New(s *iostreams.Streams, version string) *Console {
	return &Console{Streams: s, Color: iostreams.ColorAuto, Version: version, Now: time.Now}
}

// ASCII says that nothing else can be shown.
func (c *Console) ASCII() bool { return !c.Streams.UTF8() }

// Line writes one line to stderr, made safe to show.
func (c *Console) Line(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	line := trace.Printable(text, c.ASCII())
	fmt.Fprintln(c.Streams.Err, line)
	if len(c.log)+len(line) < logBytesMax {
		c.log = append(append(c.log, line...), '\n')
	}
}

// logBytesMax bounds what is remembered of the lines, in bytes.
const logBytesMax = 256 << 10

// Log is what has been said so far, but for what was written over.
func (c *Console) Log() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.log)
}

// Linef is Line with a format.
func (c *Console) Linef(format string, args ...any) { c.Line(fmt.Sprintf(format, args...)) }

// Notice is Linef unless the user wants quiet.
func (c *Console) Notice(format string, args ...any) {
	if !c.Quiet {
		c.Linef(format, args...)
	}
}

// AtInterrupt sets what is said at the user's interrupt.
func (c *Console) AtInterrupt(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stops = text
}

// Interrupted says what happens at the user's interrupt, the first of two.
func (c *Console) Interrupted() {
	c.mu.Lock()
	text := c.stops
	c.mu.Unlock()
	if text == "" {
		text = "interrupted: writing what was found so far; again to end at once"
	}
	c.Notice("%s", text)
}

// Print writes what a command has to say to standard output, as it is.
func (c *Console) Print(text string) error {
	if _, err := io.WriteString(c.Streams.Out, text); err != nil {
		return failure.Internal(fmt.Errorf("write standard output: %w", err))
	}
	return nil
}

// Fail writes an error: its lines, the first with the program's name.
func (c *Console) Fail(err error) {
	for i, line := range strings.Split(err.Error(), "\n") {
		if i == 0 {
			line = "seatrial: " + line
		}
		c.Line(line)
	}
}

// Status writes over the last line, on a terminal that can.
func (c *Console) Status(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
	fmt.Fprint(c.Streams.Err, trace.Printable(text, c.ASCII()))
	c.status = true
}

// EndStatus removes the line that Status wrote.
func (c *Console) EndStatus() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.clear()
}

func (c *Console) clear() {
	if c.status {
		fmt.Fprint(c.Streams.Err, "\r\x1b[K")
		c.status = false
	}
}

// Choice is a flag that takes one of a few words.
type Choice struct {
	value   *string
	allowed []string
}

// NewChoice returns a flag value that sets *value.
func NewChoice(value *string, allowed ...string) *Choice {
	return &Choice{value: value, allowed: allowed}
}

// Set takes the flag's argument.
func (f *Choice) Set(s string) error {
	if !slices.Contains(f.allowed, s) {
		return fmt.Errorf("it is one of %s", strings.Join(f.allowed, ", "))
	}
	*f.value = s
	return nil
}

// Allowed returns the words.
func (f *Choice) Allowed() []string { return slices.Clone(f.allowed) }

// String returns the present value.
func (f *Choice) String() string { return *f.value }

// Type is how help shows the argument.
func (f *Choice) Type() string { return strings.Join(f.allowed, "|") }
