package change

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Write is a file with the settings that are in something, and with another value at a place; nil for none. The name
// says the format. It says what the settings say: comments, order and anchors are gone.
func Write(name string, settings []Setting, in string, at []string, value json.RawMessage) ([]byte, error) {
	left := slices.DeleteFunc(slices.Clone(settings), func(s Setting) bool {
		of := s.Steps()
		return s.Kind != Key || s.In != in || len(of) >= len(at) && slices.Equal(of[:len(at)], at)
	})
	switch extension := Extension(name); extension {
	case ".properties":
		var b strings.Builder
		for _, s := range left {
			fmt.Fprintf(&b, "%s=%s\n", s.Path, property.Replace(s.Value.Reveal()))
		}
		if value != nil {
			fmt.Fprintf(&b, "%s=%s\n", strings.Join(at, "."), property.Replace(plain(value)))
		}
		return []byte(b.String()), nil
	case ".yaml", ".yml", ".json", ".toml":
		root := tree(left)
		if value != nil {
			root = put(root, at, value)
		}
		text, err := json.MarshalIndent(root, "", "  ") // which is YAML, too
		if err != nil || extension != ".toml" {
			return append(text, '\n'), err
		}
		return asTOML(text)
	}
	return nil, fmt.Errorf("%s: a file of this format is not written", name)
}

// Document are the settings that are in something as JSON, nested as their file has them.
func Document(settings []Setting, in string) (json.RawMessage, error) {
	return json.Marshal(tree(slices.DeleteFunc(slices.Clone(settings), func(s Setting) bool { return s.Kind != Key || s.In != in })))
}

func tree(settings []Setting) (root any) {
	for _, s := range settings {
		root = put(root, s.Steps(), s.Value.JSON())
	}
	return root
}

var property = strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\r", "\\r")

// plain is a value of JSON as a text.
func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func asTOML(text []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var all any
	if err := d.Decode(&all); err != nil {
		return nil, err
	}
	return toml.Marshal(counted(all))
}

// counted has numbers as TOML tells them apart, and nothing that is null, which it has not.
func counted(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		n, err := v.Float64()
		if err != nil { // it is above what any type has
			return v.String()
		}
		return n
	case []any:
		for i := range v {
			v[i] = counted(v[i])
		}
	case map[string]any:
		for key, item := range v {
			if item == nil {
				delete(v, key)
				continue
			}
			v[key] = counted(item)
		}
	}
	return v
}
