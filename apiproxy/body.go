package apiproxy

import (
	"bytes"
	"encoding/json"
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
	if raw, ok := bytes.CutPrefix(body, protobufMagic); ok {
		return metadataOf(raw).name
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

// shown is a body as others may keep it: a copy of what is JSON, else nil.
func shown(body []byte) json.RawMessage {
	if !json.Valid(body) {
		return nil
	}
	return bytes.Clone(body)
}
