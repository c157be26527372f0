package change

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// parseJSON reads the documents of a file; offset is the line before its first one.
func parseJSON(file string, offset int, text []byte) ([]*node, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	r := &jsonReader{file: file, offset: offset, text: text, decoder: decoder}
	var out []*node
	for {
		n, err := r.read(0)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
}

type jsonReader struct {
	file    string
	offset  int
	text    []byte
	decoder *json.Decoder
	made    int
	// counted is the line of the text at the offset passed, so that no line is counted twice.
	passed, counted int
}

// line is where the token behind an offset begins.
func (r *jsonReader) line(at int64) int {
	for at < int64(len(r.text)) && bytes.IndexByte([]byte(" \t\r\n,:"), r.text[at]) >= 0 {
		at++
	}
	r.counted += bytes.Count(r.text[r.passed:at], []byte("\n"))
	r.passed = int(at)
	return r.offset + 1 + r.counted
}

// next is the next token; io.EOF only where a document may end.
func (r *jsonReader) next(depth int) (json.Token, int, error) {
	line := r.line(r.decoder.InputOffset())
	token, err := r.decoder.Token()
	if errors.Is(err, io.EOF) && depth == 0 {
		return nil, line, io.EOF
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, line, wrong(r.file, line, "it ends within a value")
	}
	if err != nil {
		return nil, line, wrong(r.file, line, err)
	}
	return token, line, nil
}

func (r *jsonReader) read(depth int) (*node, error) {
	token, line, err := r.next(depth)
	if err != nil {
		return nil, err
	}
	if r.made++; r.made > mostNodes {
		return nil, wrong(r.file, line, errMany)
	}
	if depth > mostNested {
		return nil, wrong(r.file, line, errDeep)
	}
	n := &node{line: line}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			n.typ = Map
			return n, r.object(n, depth)
		}
		n.typ = List
		for r.decoder.More() {
			child, err := r.read(depth + 1)
			if err != nil {
				return nil, err
			}
			n.children = append(n.children, child)
		}
		_, _, err := r.next(depth + 1)
		return n, err
	case string:
		n.typ, n.text = Text, t
	case json.Number:
		n.typ, n.text = Number, t.String()
	case bool:
		n.typ, n.text = Truth, strconv.FormatBool(t)
	default:
		n.typ, n.text = Null, "null"
	}
	return n, nil
}

func (r *jsonReader) object(n *node, depth int) error {
	seen := map[string]bool{}
	for r.decoder.More() {
		token, line, err := r.next(depth + 1)
		if err != nil {
			return err
		}
		key, _ := token.(string) // the decoder lets nothing else be a key
		if seen[key] {
			return wrong(r.file, line, "the key "+strconv.Quote(key)+" is here for the second time: remove one")
		}
		seen[key] = true
		child, err := r.read(depth + 1)
		if err != nil {
			return err
		}
		child.line = line
		n.set(key, child)
	}
	_, _, err := r.next(depth + 1)
	return err
}
