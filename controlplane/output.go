package controlplane

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"unicode"
)

const (
	// readyMax bounds the line that says that the child is ready, in bytes.
	readyMax = 1 << 20
	// tailMax is how much is kept of what a child says, in bytes.
	tailMax = 2 << 10
)

// firstLine takes what the child prints and keeps its first line.
type firstLine struct {
	// complete is closed when the line is.
	complete chan struct{}

	mu   sync.Mutex
	line []byte
	done bool
}

func newFirstLine() *firstLine { return &firstLine{complete: make(chan struct{})} }

// Write never fails: what follows the line is of no interest.
func (f *firstLine) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return len(p), nil
	}
	line, _, ended := bytes.Cut(p, []byte("\n"))
	f.line = append(f.line, line[:min(len(line), readyMax-len(f.line))]...)
	if ended || len(f.line) == readyMax {
		f.done = true
		close(f.complete)
	}
	return len(p), nil
}

// text is the line as far as it has come, which does not change when it is
// complete.
func (f *firstLine) text() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return bytes.Clone(f.line)
}

// tail keeps the end of what is written to it. Of a program that crashed it keeps
// how the crash begins: what follows are the stacks of its goroutines.
type tail struct {
	mu      sync.Mutex
	kept    []byte
	crashed bool
}

// crashes are how the lines begin with which Go programs crash.
var crashes = [][]byte{[]byte("panic: "), []byte("fatal error: ")}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.crashed {
		t.kept = append(t.kept, p[:min(len(p), max(tailMax-len(t.kept), 0))]...)
		return len(p), nil
	}
	t.kept = append(t.kept, p...)
	for _, crash := range crashes {
		if i := bytes.Index(t.kept, crash); i == 0 || i > 0 && t.kept[i-1] == '\n' {
			t.crashed, t.kept = true, bytes.Clone(t.kept[i:min(len(t.kept), i+tailMax)])
			return len(p), nil
		}
	}
	if len(t.kept) > 2*tailMax {
		t.kept = bytes.Clone(t.kept[len(t.kept)-tailMax:])
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return lastLines(t.kept)
}

// lastLines are the last whole lines of text, fit for an error.
func lastLines(text []byte) string {
	if len(text) > tailMax {
		text = text[len(text)-tailMax:]
		if _, whole, ok := bytes.Cut(text, []byte("\n")); ok {
			text = whole
		}
	}
	printable := strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, string(text))
	return strings.TrimSpace(printable)
}

// fileTail is the end of a file, empty if it cannot be read.
func fileTail(path string) string {
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text := make([]byte, min(info.Size(), 2*tailMax))
	n, _ := file.ReadAt(text, info.Size()-int64(len(text)))
	return lastLines(text[:n])
}
