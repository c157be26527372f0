package apiproxy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// field is a field of a protobuf message that is a sequence of bytes.
func field(number uint64, value string) string {
	text := binary.AppendUvarint(nil, number<<3|2)
	text = binary.AppendUvarint(text, uint64(len(value)))
	return string(text) + value
}

// whole is a field that is a number.
func whole(number, value uint64) string {
	return string(binary.AppendUvarint(binary.AppendUvarint(nil, number<<3), value))
}

func envelope(object string) []byte {
	return []byte("k8s\x00" + field(1, field(1, "v1")+field(2, "Pod")) + field(unknownRaw, object))
}

func TestDescribeProtobuf(t *testing.T) {
	meta := field(metadataName, "a") + field(metadataUID, "u") + field(3, "default") + whole(7, 3) + field(metadataResourceVersion, "41")
	options := whole(1, 30) + field(deletePreconditions, field(preconditionUID, "p")+field(preconditionResourceVersion, "40")) +
		whole(deleteOrphan, 1) + field(deleteDryRun, "All")
	for _, test := range []struct {
		name string
		verb string
		sub  string
		body []byte
		want Exchange
	}{
		{"an object", "update", "", envelope(field(objectMetadata, meta) + field(2, "spec")), Exchange{BodyRevision: "41", BodyUID: "u"}},
		{"a name that is generated", "create", "", envelope(field(objectMetadata, field(metadataGenerateName, "a-"))), Exchange{GenerateName: "a-"}},
		{"options of a delete", "delete", "", envelope(options), Exchange{PreconditionUID: "p", PreconditionRevision: "40", Propagation: "Orphan"}},
		{"a policy", "delete", "", envelope(field(deletePropagation, "Foreground")), Exchange{Propagation: "Foreground"}},
		{"an eviction", "create", "/eviction", envelope(field(objectMetadata, meta) + field(evictionDeleteOptions, options)), Exchange{
			BodyRevision: "41", BodyUID: "u", PreconditionUID: "p", PreconditionRevision: "40", Propagation: "Orphan",
		}},
		{"a message that is cut off", "update", "", envelope(field(objectMetadata, meta))[:39], Exchange{}},
		{"no message", "update", "", []byte("k8s\x00\xff\xff"), Exchange{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := Exchange{Request: Request{Verb: test.verb, Resource: "pods" + test.sub, Name: "a"}}
			x.describe("application/vnd.kubernetes.protobuf", nil, test.body)
			if dry := bytes.Contains(test.body, []byte("All")); x.DryRun != dry {
				t.Errorf("dry run is %v, want %v", x.DryRun, dry)
			}
			x.Request = Request{}
			if got, want := describes(x), describes(test.want); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func describes(x Exchange) string {
	text, _ := json.Marshal(x)
	return string(text)
}

func FuzzProtobuf(f *testing.F) {
	f.Add([]byte(field(2, field(1, field(1, "name")+whole(7, 1<<63)))))
	f.Add([]byte{0xff})
	f.Add([]byte{0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x0d, 1, 2, 3, 4, 0x08, 1})
	f.Fuzz(func(t *testing.T, message []byte) {
		size := 0
		err := eachField(message, func(_ uint64, value []byte, _ uint64) { size += len(value) })
		if size > len(message) {
			t.Errorf("%d bytes of values in a message of %d", size, len(message))
		}
		// What is read of a message is read of it with another field behind it.
		if err == nil {
			again := 0
			if eachField(append(bytes.Clone(message), field(9, "x")...), func(_ uint64, value []byte, _ uint64) { again += len(value) }) != nil || again != size+1 {
				t.Errorf("with one field more there are %d bytes, want %d", again, size+1)
			}
		}
		metadataOf(message)
		deletionOf(message)
	})
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte(`{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"5"}}}` + "\n" + `{"type":"BOOKMARK","object":{}}`))
	f.Add([]byte(`{"type":"ADDED","object":{"metadata":{"resourceVersion":5}}}`))
	f.Add([]byte(`[] {"type"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		source := newFrames(bytes.NewReader(text))
		at := 0
		for {
			frame, err := source.next()
			if err != nil {
				return
			}
			// Frames are what came, unchanged and in order.
			raw := bytes.TrimSuffix(frame.raw, []byte("\n"))
			n := bytes.Index(text[at:], raw)
			if n < 0 || !json.Valid(raw) || frame.kind == "" || frame.revision < 0 {
				t.Fatalf("frame %q of %q", frame.raw, text)
			}
			at += n + len(raw)
		}
	})
}

// FuzzSniffer: what is found while an answer passes by is what is in it.
func FuzzSniffer(f *testing.F) {
	f.Add(`{"kind":"PodList","metadata":{"resourceVersion":"41"},"items":[{"metadata":{"resourceVersion":"7"}}]}`, 3)
	f.Add(`{"items":[{"metadata":{"name":"a\"}"}}],"metadata" : {"name":"x","resourceVersion":"\u0034"}} `, 1)
	f.Add(`{"a\\":{"metadata":{}},"b":"metadata","metadata":{"resourceVersion":"9"},"c":",:{"}`, 5)
	f.Add(`["metadata",{"metadata":{"resourceVersion":"1"}}]`, 2)
	f.Fuzz(func(t *testing.T, text string, step int) {
		var want struct {
			Metadata json.RawMessage `json:"metadata"`
		}
		// Keys are as they are written, and each is there once.
		if !json.Valid([]byte(text)) || json.Unmarshal([]byte(text), &want) != nil ||
			strings.Count(strings.ToLower(text), "metadata") != strings.Count(text, "metadata") || strings.Contains(text, `\u`) || !once(text) {
			return
		}
		var metadata received
		_ = json.Unmarshal(want.Metadata, &metadata)
		s := &sniffer{}
		for rest := []byte(text); len(rest) > 0; {
			n := min(max(step, 1), len(rest))
			s.pass(rest[:n])
			rest = rest[n:]
		}
		if got := s.metadata(); got != metadata {
			t.Errorf("found %+v in %s, want %+v", got, text, metadata)
		}
	})
}

// once tells whether the outermost value has one key metadata, at the most.
func once(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	depth, keys, found := 0, 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return found < 2
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				if depth++; depth == 1 {
					keys = 0
				}
				continue
			}
			if depth--; depth == 1 {
				keys++
			}
		default:
			if depth == 1 {
				if keys++; token == "metadata" {
					found++
				}
			}
		}
	}
}
