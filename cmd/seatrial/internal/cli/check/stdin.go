package check

import (
	"context"
	"io"
)

// cancellable reads from r until ctx is cancelled. A read that waits for a
// terminal or a pipe is then left behind, with its own buffer; the process is
// about to end.
type cancellable struct {
	ctx context.Context
	r   io.Reader
}

type chunk struct {
	data []byte
	err  error
}

// Read is io.Reader's.
func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	read := make(chan chunk, 1)
	go func() {
		own := make([]byte, len(p))
		n, err := c.r.Read(own)
		read <- chunk{own[:n], err}
	}()
	select {
	case got := <-read:
		return copy(p, got.data), got.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
