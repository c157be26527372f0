package process

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

const (
	// FirstBytes is how much of an output is kept of its beginning.
	FirstBytes = 64 << 10
	// LastBytes is how much is kept of its end.
	LastBytes = 256 << 10
	// readBytes is how much is read at once: what a pipe holds on Linux.
	readBytes = 64 << 10
)

// Output is what is kept of what a program printed, standard output and standard error
// in the order in which they came.
type Output struct {
	// First are the first bytes, up to FirstBytes; Last those after them, up to
	// LastBytes, the last ones if there were more.
	First, Last []byte
	// Bytes is how many there were in all.
	Bytes int64
}

// LeftOut is how many bytes between First and Last are not kept.
func (o Output) LeftOut() int64 { return o.Bytes - int64(len(o.First)+len(o.Last)) }

// Text is all that is kept; a line of its own says how much is left out.
func (o Output) Text() string {
	left := o.LeftOut()
	if left == 0 {
		return string(o.First) + string(o.Last)
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", o.First, left, o.Last)
}

// Lines are the lines of Text without their ends. The lines that are cut by what is
// left out are among them, in part.
func (o Output) Lines() []string {
	text := strings.TrimSuffix(o.Text(), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

// recorder keeps both ends of what it reads.
type recorder struct {
	copy io.Writer // nil for nobody

	mu    sync.Mutex
	first []byte
	ring  []byte // the bytes after first, up to LastBytes
	next  int    // where in a full ring the oldest byte is
	bytes int64
}

func newRecorder(copy io.Writer) *recorder { return &recorder{copy: copy} }

// read reads until the end or an error, which is an end here too.
func (r *recorder) read(from io.Reader) {
	buffer := make([]byte, readBytes)
	for {
		n, err := from.Read(buffer)
		r.add(buffer[:n])
		if r.copy != nil && n > 0 {
			if _, failed := r.copy.Write(buffer[:n]); failed != nil {
				r.copy = nil
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *recorder) add(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bytes += int64(len(b))
	n := min(len(b), FirstBytes-len(r.first))
	r.first, b = append(r.first, b[:n]...), b[n:]
	n = min(len(b), LastBytes-len(r.ring))
	r.ring, b = append(r.ring, b[:n]...), b[n:]
	for len(b) > 0 {
		n = copy(r.ring[r.next:], b)
		r.next, b = (r.next+n)%LastBytes, b[n:]
	}
}

func (r *recorder) taken() Output {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := make([]byte, 0, len(r.ring))
	last = append(append(last, r.ring[r.next:]...), r.ring[:r.next]...)
	return Output{First: append([]byte(nil), r.first...), Last: last, Bytes: r.bytes}
}
