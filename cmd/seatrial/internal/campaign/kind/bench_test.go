package kind

import (
	"fmt"
	"strings"
	"testing"
)

// Ten thousand properties are looked at in a few milliseconds, whatever they look like.
func BenchmarkRecognise(b *testing.B) {
	for name, object := range map[string]string{
		"plain":     "{type: object, properties: {a: {type: string}, b: {type: integer}, c: {type: string}, d: {type: string}}}",
		"resources": "{type: object, properties: {limits: {type: object, additionalProperties: {type: string}}, requests: {type: object, additionalProperties: {type: string}}}}",
		"selectors": "{type: object, properties: {key: {type: string}, name: {type: string}, optional: {type: boolean}, default: {type: string}}}",
	} {
		var text strings.Builder
		for i := range 2000 {
			fmt.Fprintf(&text, "resources%d: %s\n", i, object)
		}
		d := spec(b, text.String())
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := Recognise(d.Spec(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
