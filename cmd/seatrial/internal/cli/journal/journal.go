// Package journal notes what a trial has done, so that --resume need not do it again: a file of lines of
// JSON, the first of which says for what.
package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// lineMax bounds a line, in bytes.
const lineMax = 16 << 20

// Journal is one that is written. The zero value, and nil, note nothing.
type Journal struct {
	mu   sync.Mutex
	file *os.File
}

// Open opens the journal at path. If it is to go on, what is there is given to take, line by line, up to the
// first that take does not know, such as one that was cut off; that is written over. One with another head
// begins anew.
func Open(path string, head any, resume bool, take func(line []byte) bool) (*Journal, error) {
	first, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	end := int64(0)
	if resume {
		if end, err = read(path, first, take); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file}
	err = file.Truncate(end)
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err == nil && end == 0 {
		_, err = file.Write(append(first, '\n'))
	}
	if err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// read returns how long what was taken is together with the first line; 0 if it is of something else.
func read(path string, first []byte, take func(line []byte) bool) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, lineMax)
	if !lines.Scan() || !bytes.Equal(lines.Bytes(), first) {
		return 0, lines.Err()
	}
	end := int64(len(first)) + 1
	for lines.Scan() && take(lines.Bytes()) {
		end += int64(len(lines.Bytes())) + 1
	}
	return end, lines.Err()
}

// Note writes a line. A failure to write costs no more than time.
func (j *Journal) Note(v any) {
	if j == nil || j.file == nil {
		return
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) >= lineMax {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	_, _ = j.file.Write(append(text, '\n'))
}

// Close ends it.
func (j *Journal) Close() {
	if j != nil && j.file != nil {
		_ = j.file.Close()
	}
}

// Sum is the SHA-256 of something as JSON.
func Sum(v any) (string, error) {
	text, err := json.Marshal(v)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// File is the SHA-256 of a file, and its length.
func File(path string) (sum string, n int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	h := sha256.New()
	if n, err = io.Copy(h, f); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), n, nil
}
