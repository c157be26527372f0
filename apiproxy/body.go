package apiproxy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
)

// bodyMax is how much of a body is kept, in bytes. The API server takes 3 MiB.
const bodyMax = 8 << 20

// replayable reads the body of req and returns a copy of req that can be sent
// again and again. A body above bodyMax stays a stream: it can be sent once, and
// nothing of it is known. The body of req is used up and closed.
func replayable(req *http.Request) (*http.Request, []byte, error) {
	if req.Body == nil || req.Body == http.NoBody {
		return req, nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, bodyMax+1))
	if err != nil {
		req.Body.Close()
		return nil, nil, err
	}
	// A RoundTripper must not change its request.
	sent := req.Clone(req.Context())
	if len(body) > bodyMax {
		sent.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(body), req.Body), req.Body}
		return sent, nil, nil
	}
	req.Body.Close()
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	sent.Body, _ = sent.GetBody()
	sent.ContentLength = int64(len(body))
	return sent, body, nil
}

// named reads metadata.name of an object, in JSON or in the protobuf envelope.
// It is empty for what has none, such as an object whose name is generated, and
// for what is neither.
func named(body []byte) string {
	if raw, ok := bytes.CutPrefix(body, []byte("k8s\x00")); ok {
		return namedProtobuf(raw)
	}
	var object struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
	}
	if json.Unmarshal(body, &object) != nil {
		return ""
	}
	return object.Metadata.Name
}

// namedProtobuf follows three field numbers: the object within the envelope
// (raw of k8s.io/apimachinery/pkg/runtime.Unknown), metadata, which is the first
// field of every kind that is stored, and name, the first of ObjectMeta.
func namedProtobuf(message []byte) string {
	const raw, metadata, name = 2, 1, 1
	for _, field := range []uint64{raw, metadata, name} {
		var err error
		if message, err = bytesField(message, field); err != nil {
			return ""
		}
	}
	return string(message)
}

var errProtobuf = errors.New("not a protobuf message with that field")

// bytesField returns the first field of a message that has that number and is a
// sequence of bytes.
func bytesField(message []byte, number uint64) ([]byte, error) {
	const varint, fixed64, lengthDelimited, fixed32 = 0, 1, 2, 5
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, errProtobuf
		}
		message = message[n:]
		size := uint64(0)
		switch tag & 7 {
		case varint:
			_, n := binary.Uvarint(message)
			if n <= 0 {
				return nil, errProtobuf
			}
			size = uint64(n)
		case fixed64:
			size = 8
		case fixed32:
			size = 4
		case lengthDelimited:
			length, n := binary.Uvarint(message)
			if n <= 0 {
				return nil, errProtobuf
			}
			message, size = message[n:], length
		default:
			return nil, errProtobuf
		}
		if size > uint64(len(message)) {
			return nil, errProtobuf
		}
		if tag>>3 == number && tag&7 == lengthDelimited {
			return message[:size], nil
		}
		message = message[size:]
	}
	return nil, errProtobuf
}

// shown is a body as others may keep it: a copy of what is JSON, else nil.
func shown(body []byte) json.RawMessage {
	if !json.Valid(body) {
		return nil
	}
	return bytes.Clone(body)
}
