package apiproxy

import (
	"bytes"
	"encoding/json"
)

// sniffer finds the metadata of an object or a list in JSON that passes by, so
// that a list need not be kept to know its revision.
type sniffer struct {
	depth              int
	text, escaped      bool // within a text, behind a backslash
	key                []byte
	isKey, keeps, done bool
	kept               []byte
}

// keptMax is how much metadata is kept, in bytes. That of a list is small.
const keptMax = 1 << 20

// pass looks at the next bytes. It is true when the outermost value has ended.
func (s *sniffer) pass(p []byte) bool {
	for len(p) > 0 && !s.done {
		if s.text {
			p = s.passText(p)
			continue
		}
		n := 0
		for ; n < len(p) && !s.text && !s.done; n++ {
			s.step(p[n])
		}
		p = p[n:]
	}
	return s.done
}

// passText looks at what is within a text, up to its end.
func (s *sniffer) passText(p []byte) []byte {
	n := 0
	for {
		if s.escaped {
			if n == len(p) {
				break
			}
			s.escaped = false
			n++
		}
		end := bytes.IndexByte(p[n:], '"')
		if end < 0 {
			end = len(p) - n
		}
		if slash := bytes.IndexByte(p[n:n+end], '\\'); slash >= 0 {
			n += slash + 1
			s.escaped = true
			continue
		}
		if n += end; n < len(p) {
			n++
			s.text = false
		}
		break
	}
	s.keep(p[:n])
	if s.isKey && len(s.key) < len(`metadata"`)+1 {
		s.key = append(s.key, p[:n]...)
	}
	return p[n:]
}

func (s *sniffer) keep(p []byte) {
	if s.keeps && len(s.kept) < keptMax {
		s.kept = append(s.kept, p...)
	}
}

// step looks at one byte outside of texts.
func (s *sniffer) step(b byte) {
	switch b {
	case '"':
		if s.text = true; s.depth == 1 && s.isKey {
			s.key = s.key[:0]
		}
	case '{', '[':
		if s.depth++; s.depth == 1 {
			s.isKey = b == '{'
		}
	case '}', ']':
		if s.depth--; s.depth <= 0 {
			s.done, s.keeps = true, false
		}
	case ',':
		if s.depth == 1 {
			s.isKey, s.keeps = true, false
		}
	case ':':
		if s.depth == 1 && s.isKey {
			s.isKey, s.keeps = false, string(s.key) == `metadata"`
			return
		}
	}
	if s.keeps && len(s.kept) < keptMax {
		s.kept = append(s.kept, b)
	}
}

// metadata is what was found.
func (s *sniffer) metadata() received {
	var r received
	_ = json.Unmarshal(s.kept, &r)
	return r
}
