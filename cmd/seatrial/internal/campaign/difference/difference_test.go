package difference

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// TestLines: two versions of an object, and how they differ.
func TestLines(t *testing.T) {
	for name, c := range map[string]struct{ before, after, want string }{
		"values":      {`{"spec":{"replicas":3,"tls":{"off":1,"to":"x"}}}`, `{"spec":{"replicas":4,"tls":{"off":1}}}`, " spec:|-  replicas: 3|+  replicas: 4|   tls:|-    to: x"},
		"a map":       {`{"spec":{}}`, `{"spec":{"tls":{"off":1,"to":"x"}}}`, " spec:|+  tls:|+    \"off\": 1|+    to: x"},
		"keys":        {`{"metadata":{"annotations":{"example.com/team":"a","x":"y"}}}`, `{"metadata":{"annotations":{"x":"y"}}}`, " metadata:|   annotations:|-    example.com/team: a"},
		"named items": {`{"spec":{"containers":[{"name":"web","image":"a"}]}}`, `{"spec":{"containers":[{"name":"web","image":"b"},{"name":"log"}]}}`, " spec:|   containers:|   - name: web|-    image: a|+    image: b|+  - name: log"},
		"other items": {`{"spec":{"args":["a","b"]}}`, `{"spec":{"args":["a","c"]}}`, " spec:|   args:|-  - b|+  - c"},
		"by position": {`{"spec":{"rules":[{"a":1}]}}`, `{"spec":{"rules":[{"a":2}]}}`, " spec:|   rules:|   - # 0|-    a: 1|+    a: 2"},
		"by two keys": {`{"ports":[{"port":80,"protocol":"TCP","name":"a"}]}`, `{"ports":[{"port":80,"protocol":"TCP","name":"b"}]}`, " ports:| - # 80/TCP|-  name: a|+  name: b"},
		"order":       {`{"spec":{"servers":[{"name":"a","size":1},{"name":"b"}]}}`, `{"spec":{"servers":[{"name":"b"},{"name":"a","size":2}]}}`, " spec:|   servers:|-  # in the order a, b|+  # in the order b, a|   - name: a|-    size: 1|+    size: 2"},
		"lines":       {`{"data":{"a.conf":"x: 1\ny: 2\n"}}`, `{"data":{"a.conf":"x: 1\ny: 3\n"}}`, " data:|-  a.conf: \\||-    x: 1|-    y: 2|+  a.conf: \\||+    x: 1|+    y: 3"},
		"like a word": {`{"data":{"on":"true"}}`, `{"data":{"on":"yes"}}`, " data:|-  \"on\": \"true\"|+  \"on\": \"yes\""},
		"the same":    {`{"a":1}`, `{"a":1}`, ""},
	} {
		var before, after history.Object
		for o, text := range map[*history.Object]string{&before: c.before, &after: c.after} {
			if err := o.UnmarshalJSON([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		got := strings.Join(Lines(history.Diff(before, after)), "\n")
		want := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(c.want, `\|`, "\x00"), "|", "\n"), "\x00", "|")
		if got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
