package apiproxy

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// frame is one event of a watch.
type frame struct {
	raw  []byte // as it came, and a line break
	kind string // ADDED, MODIFIED, DELETED, BOOKMARK, ERROR
	// last tells of the bookmark behind the initial events of a streaming list.
	last     bool
	object   received
	revision int64
	// overdue is set by the timer, which is nil if the revision was reached when
	// the frame came.
	overdue bool
	timer   *time.Timer
}

// frames reads the events of a watch: JSON objects one behind the other.
type frames struct{ decoder *json.Decoder }

func newFrames(r io.Reader) frames { return frames{json.NewDecoder(r)} }

// initialEventsEnd marks the bookmark that ends the initial events
// (metav1.InitialEventsAnnotationKey).
const initialEventsEnd = "k8s.io/initial-events-end"

// next reads one frame. It is io.EOF between frames, and another error within one
// or for what is no event.
func (f frames) next() (*frame, error) {
	var raw json.RawMessage
	if err := f.decoder.Decode(&raw); err != nil {
		return nil, err
	}
	var event struct {
		Type   string `json:"type"`
		Object struct {
			Metadata struct {
				received
				Annotations map[string]any `json:"annotations"`
			} `json:"metadata"`
		} `json:"object"`
	}
	if err := json.Unmarshal(raw, &event); err != nil || event.Type == "" {
		return nil, fmt.Errorf("a frame of a watch is no event: %.100q", raw)
	}
	m := event.Object.Metadata
	_, marked := m.Annotations[initialEventsEnd]
	return &frame{
		raw: append(raw, '\n'), kind: event.Type, last: marked && event.Type == "BOOKMARK",
		object: m.received, revision: m.revision(),
	}, nil
}
