package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process"
	"github.com/seatrial/seatrial/trace"
)

const (
	// textMax is the longest text that is taken from a program, in bytes: as much as
	// of a file.
	textMax = 32 << 20
	// saidMax is how much of what a program says on stderr is kept, in bytes, and
	// saidLinesMax how many lines of it are shown, the last ones.
	saidMax      = 64 << 10
	saidLinesMax = 20
	// patience is how long a program that is ended may take to end.
	patience = 3 * time.Second
)

// Error is a program that is not there or did not do what it was asked. It has a line
// or several.
type Error struct{ text string }

// Error says what is wrong and what to do.
func (e *Error) Error() string { return e.text }

func errorf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// find looks a program up in PATH. One that PATH finds only in the current folder is
// refused: a repository that is checked must not say what runs.
func find(name string) (string, error) {
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrDot) {
		return "", errorf("%s is not run: PATH finds it in the current folder (%s); put its folder into PATH by its full name", name, path)
	}
	return path, err
}

// run runs a program to its end and returns what it prints. What it says on stderr is
// in the error, and dropped otherwise.
func run(ctx context.Context, program string, arguments ...string) ([]byte, error) {
	shown := strings.Join(append([]string{base(program)}, arguments...), " ")
	// Renderers keep what they fetch in temporary folders, and a program that is
	// interrupted does not remove them.
	temporary, err := os.MkdirTemp("", "seatrial-render-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(temporary) }() // what is left is in the system's folder for that
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out, said := &bounded{most: textMax, full: stop}, &bounded{most: saidMax, last: true}
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = patience
	process.Apart(cmd)
	err = cmd.Run()
	process.EndGroup(cmd)
	switch {
	case out.over:
		return nil, errorf("%s prints more than %d MiB", line(shown), textMax>>20)
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && cmd.ProcessState == nil:
		return nil, errorf("%s cannot be run: %s", line(program), line(err.Error()))
	case err != nil:
		return nil, errorf("%s failed (%s)%s", line(shown), line(err.Error()), complaint(said.bytes()))
	}
	return out.bytes(), nil
}

func base(program string) string { return program[strings.LastIndexAny(program, `/\`)+1:] }

// complaint is the end of what a program said, printable and indented.
func complaint(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) == 1 && lines[0] == "" {
		return " and says nothing"
	}
	var b strings.Builder
	b.WriteString(":")
	if over := len(lines) - saidLinesMax; over > 0 {
		fmt.Fprintf(&b, "\n  … %d lines", over)
		lines = lines[over:]
	}
	for _, each := range lines {
		b.WriteString("\n  " + line(strings.TrimRight(each, "\r")))
	}
	return b.String()
}

const lineMax = 1000

// line is text that is safe on one line of a terminal.
func line(s string) string {
	if len(s) > lineMax {
		s = strings.ToValidUTF8(s[:lineMax], "") + "…"
	}
	return trace.Printable(strings.NewReplacer("\n", " ", "\t", " ").Replace(s), false)
}

// bounded keeps the first or the last bytes of what is written to it.
type bounded struct {
	most int
	// last: the last bytes count, and no number of them is too many.
	last bool
	// full is called when there is too much.
	full   func()
	over   bool
	buffer bytes.Buffer
}

var errFull = errors.New("too much")

// Write is io.Writer's.
func (b *bounded) Write(p []byte) (int, error) {
	if b.last {
		b.buffer.Write(p)
		if n := b.buffer.Len() - b.most; n > 0 {
			b.buffer.Next(n)
		}
		return len(p), nil
	}
	if b.over || b.buffer.Len()+len(p) > b.most {
		b.over = true
		b.full()
		return 0, errFull
	}
	return b.buffer.Write(p)
}

func (b *bounded) bytes() []byte { return b.buffer.Bytes() }
