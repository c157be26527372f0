package config

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// SchemaID is where the schema of the latest release is.
const SchemaID = "https://raw.githubusercontent.com/seatrial/seatrial/main/docs/config-schema.json"

// object is a part of a JSON schema.
type object map[string]any

// Schema is the JSON schema (draft-07, which editors know) of the file for the
// commands below root.
func Schema(root *cobra.Command) ([]byte, error) {
	s := top(root)
	whole := s.schema()
	properties := whole["properties"].(object)
	properties["apiVersion"], properties["kind"] = object{"const": APIVersion}, object{"const": Kind}
	whole["$schema"], whole["$id"] = "http://json-schema.org/draft-07/schema#", SchemaID
	whole["title"], whole["description"] = "The configuration of seatrial", Name+": flags of seatrial, by command. A flag on the command line wins."
	out, err := json.MarshalIndent(whole, "", "  ")
	return append(out, '\n'), err
}

func (s *section) schema() object {
	properties := object{}
	for _, k := range s.keys {
		properties[k.flag.Name] = k.schema()
	}
	for i := range s.sections {
		properties[s.sections[i].name] = s.sections[i].schema()
	}
	out := object{"type": "object", "additionalProperties": false, "properties": properties}
	if s.doc != "" {
		out["description"] = s.doc
	}
	return out
}

func (k key) schema() object {
	out := object{"description": usage(k.flag)}
	switch k.form() {
	case boolean:
		out["type"] = "boolean"
	case number:
		out["type"] = "integer"
		if t := k.flag.Value.Type(); t == "uint64" || t == "count" {
			out["minimum"] = 0
		}
	case list:
		out["anyOf"] = []object{{"type": "string"}, {"type": "array", "items": object{"type": "string"}}}
	case choice:
		out["enum"] = k.flag.Value.(interface{ Allowed() []string }).Allowed()
	case text:
		out["type"] = []string{"string", "number"} // 4Gi, and 0
	}
	return out
}

// usage is what the help says of a flag, without the marks of help.
func usage(f *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(f)
	return strings.TrimSpace(text)
}
