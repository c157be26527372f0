package kind

import (
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// shape is the type of a value: one of the constants, with [] before it for each list
// and {} for each map that it is in.
type shape string

const (
	shapeString      shape = "string"
	shapeInteger     shape = "integer"
	shapeNumber      shape = "number"
	shapeBoolean     shape = "boolean"
	shapeObject      shape = "object"
	shapeIntOrString shape = "int-or-string"
	shapeQuantity    shape = "quantity"
	shapeTime        shape = "time"
	shapeDuration    shape = "duration"
	// shapeAny is what can be anything.
	shapeAny shape = "any"
)

// The names of types that are no objects.
const (
	quantity = "io.k8s.apimachinery.pkg.api.resource.Quantity"
	duration = "io.k8s.apimachinery.pkg.apis.meta.v1.Duration"
)

// special are the Go types that are not what they look like.
var special = map[string]shape{
	quantity: shapeQuantity,
	duration: shapeDuration,
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString": shapeIntOrString,
	"io.k8s.apimachinery.pkg.apis.meta.v1.Time":       shapeTime,
	"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime":  shapeTime,
	"io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1":   shapeAny,
	"io.k8s.apimachinery.pkg.runtime.RawExtension":    shapeAny,
}

// scalars are the kinds of shapes that are types of their own.
var scalars = map[shape]string{shapeQuantity: quantity, shapeDuration: duration}

// item is the shape of what is in a list or map; empty for others.
func (s shape) item() shape {
	if strings.HasPrefix(string(s), "[]") || strings.HasPrefix(string(s), "{}") {
		return s[2:]
	}
	return ""
}

// shapeOf is the shape of a property.
func shapeOf(p *schema.Property) shape {
	s := p.Schema
	switch {
	case s.XIntOrString && s.ValueValidation != nil && strings.Contains(pattern(p), "[KMGTPE]i"):
		return shapeQuantity
	case s.XIntOrString:
		return shapeIntOrString
	case s.Type == "array" && len(p.Children) == 1:
		return "[]" + shapeOf(p.Children[0])
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Structural != nil:
		return "{}" + shapeOf(p.Children[0])
	case s.Type == "object" && len(p.Children) == 0 && p.Opaque(), s.Type == "", s.Type == "array":
		return shapeAny
	}
	return shape(s.Type)
}

// pattern is the pattern of a text, also where it is said in an allOf; empty for none.
func pattern(p *schema.Property) string {
	v := p.Schema.ValueValidation
	if v == nil {
		return ""
	}
	if v.Pattern != "" {
		return v.Pattern
	}
	for _, all := range v.AllOf {
		if all.Pattern != "" {
			return all.Pattern
		}
	}
	return ""
}

// compatible tells whether a property of one shape can be a field of another: authors write
// some types more plainly, and leave out what is in them.
func compatible(own, theirs shape) bool {
	if own == theirs || own == shapeAny || theirs == shapeAny {
		return true
	}
	switch theirs {
	case shapeQuantity:
		return own == shapeIntOrString || own == shapeString
	case shapeIntOrString:
		return own == shapeString || own == shapeInteger || own == shapeQuantity
	case shapeTime, shapeDuration:
		return own == shapeString
	}
	if below := theirs.item(); below != "" {
		if own == shapeObject && strings.HasPrefix(string(theirs), "{}") {
			return false
		}
		return own.item() != "" && own[:2] == theirs[:2] && compatible(own.item(), below)
	}
	return false
}

// hollow tells that nothing can be in an object: it has no fields, and loses those that
// the schema does not have. Generators write the metadata of templates so.
func hollow(p *schema.Property) bool {
	return p.Schema.Type == "object" && len(p.Children) == 0 && !p.Opaque()
}

// words are the words of a name in lower case: podSecurityContext has pod, security
// and context.
func words(name string) []string {
	var all []string
	start := 0
	runes := []rune(name)
	upper := func(i int) bool { return i < len(runes) && runes[i] >= 'A' && runes[i] <= 'Z' }
	letter := func(i int) bool {
		return upper(i) || i < len(runes) && (runes[i] >= 'a' && runes[i] <= 'z' || runes[i] >= '0' && runes[i] <= '9')
	}
	plural := func(i int) bool { return i < len(runes) && runes[i] == 's' && (i+1 == len(runes) || upper(i+1)) } // clusterIPs
	flush := func(end int) {
		switch word := strings.ToLower(string(runes[start:max(start, end)])); {
		case word == "map" && len(all) > 0 && all[len(all)-1] == "config":
			all[len(all)-1] = "configmap" // not a map of a config
		case word != "":
			all = append(all, word)
		}
	}
	for i := range runes {
		switch {
		case !letter(i):
			flush(i)
			start = i + 1
		case i > start && upper(i) && (!upper(i-1) || i+1 < len(runes) && !upper(i+1) && letter(i+1) && !plural(i+1)):
			flush(i)
			start = i
		}
	}
	flush(len(runes))
	return all
}
