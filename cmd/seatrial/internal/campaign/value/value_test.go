package value

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// property is spec.p of a resource with a schema.
func property(t testing.TB, text, kind string) *schema.Property {
	t.Helper()
	var s apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	object := func(name string, p apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{name: p}}
	}
	whole := object("spec", object("p", s))
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "things.example.com"
	crd.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "things", Singular: "thing", Kind: "Thing", ListKind: "ThingList"},
		Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
			Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &whole},
		}},
	}
	d, err := schema.Open(crd, "")
	if err != nil {
		t.Fatal(err)
	}
	p := d.Find("spec.p")
	p.Kind = kind
	return p
}

// TestCases shows what is tried of properties: of a schema, with what is there.
func TestCases(t *testing.T) {
	t.Parallel()
	datadriven.Walk(t, "testdata", func(t *testing.T, file string) {
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			var kind string
			d.MaybeScanArgs(t, "kind", &kind)
			text, now, present := strings.Cut(d.Input, "\nnow: ")
			at := &Place{
				Property: property(t, text, kind), Present: present, Namespace: "default",
				Draw: Draw{Property: 17, Operation: 3, Number: 20017}, Tables: BuiltIn(),
			}
			for _, arg := range d.CmdArgs {
				if path, below := strings.CutPrefix(arg.Key, "items"); below {
					p := at.Property.Children[0]
					if name := strings.TrimPrefix(path, "."); name != "" {
						p = p.Field(name)
					}
					p.Kind = arg.Vals[0]
				}
			}
			at.Property.Inferred, at.Property.Scaled = d.HasArg("inferred"), d.HasArg("scaled")
			if present {
				js, err := yaml.YAMLToJSON([]byte(now))
				if err == nil {
					at.Value, err = Decode(js)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			var b strings.Builder
			for _, c := range Cases(at) {
				b.WriteString(line(c))
			}
			return b.String()
		})
	})
}

// line is a case: with - a removal, with ! a misoperation; ... stands for what is long.
func line(c Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%c %s:", " -!"[c.Class], c.Name)
	for _, e := range c.Path {
		fmt.Fprintf(&b, " [%v]", e)
	}
	text := encode(c.Value)
	if c.Remove {
		text = "removed"
	}
	if len(text) > 120 {
		text = text[:100] + fmt.Sprintf("... %d letters", len(text))
	}
	b.WriteString(" " + text)
	for _, o := range c.Objects {
		fmt.Fprintf(&b, " with %s %s", o.Text("kind"), o.Text("metadata", "name"))
	}
	if c.Instead != "" {
		b.WriteString(" instead of " + c.Instead)
	}
	return b.String() + "\n"
}

// TestDrawn makes texts that patterns match, as people write them in schemas.
func TestDrawn(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`,
		`^\d{3,5}$`,
		`^(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])?$`,
		`^(https?|amqps?)://[^/]+(/.*)?$`,
		`^([0-9]+h)?([0-9]+m)?([0-9]+s)?$`,
		`^[A-Za-z_][A-Za-z0-9_]*(?:,[A-Za-z_]+){2}$`,
		`v[0-9]+`,
		`^\S+@\S+$`,
		`(?i)^(yes|no)$`,
		`^[^a-z]+$`,
		`^\p{Lu}\p{Ll}+$`,
	} {
		l := limit{patterns: []string{pattern}, longest: -1}
		first, ok := l.drawn(0, 0)
		again, _ := l.drawn(0, 0)
		if re := regexp.MustCompile(pattern); !ok || !re.MatchString(first) || first != again {
			t.Errorf("%s: %q, %v, then %q", pattern, first, ok, again)
		}
	}
}

// TestSlip: no more of a number is a slip unless the schema says how few there may be, or nothing of the property.
func TestSlip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"type: integer": true, "{type: integer, minimum: 0}": false, "{type: integer, minimum: -1}": false, "type: number": false} {
		p := property(t, text, "")
		if got := Slip(p, int64(0)); got != want {
			t.Errorf("0 of %s: %t", text, got)
		}
		if Slip(p, int64(1)) {
			t.Errorf("1 of %s is no slip", text)
		}
		if p.Inferred = true; Slip(p, int64(0)) {
			t.Errorf("0 of %s, of which the schema says nothing, is no slip", text)
		}
	}
}
