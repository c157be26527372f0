package operation

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/history"
)

// input is what a plan of the transcripts is made of.
type input struct {
	// Spec is the schema of the spec; Seed and Examples are specs, too.
	Spec     apiextensionsv1.JSONSchemaProps `json:"spec"`
	Kinds    map[string]string               `json:"kinds"`
	Seed     history.Object                  `json:"seed"`
	Examples []history.Object                `json:"examples"`
	Focus    []string                        `json:"focus"`
	Ignore   []string                        `json:"ignore"`
	Values   map[string][]any                `json:"values"`
	Setup    []history.Object                `json:"setup"`
}

func (in *input) schema() *apiextensionsv1.JSONSchemaProps {
	return &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": in.Spec}}
}

func read(t testing.TB, text string) Options {
	t.Helper()
	var in input
	if err := yaml.UnmarshalStrict([]byte(text), &in); err != nil {
		t.Fatal(err)
	}
	d := definition(t, in.schema(), in.Kinds)
	seed := thing(in.Seed)
	var examples []history.Object
	for _, spec := range in.Examples {
		examples = append(examples, thing(spec))
	}
	return Options{Definition: d, Server: d, Seed: seed, Examples: examples, Focus: in.Focus, Ignore: in.Ignore, Values: in.Values, Setup: in.Setup, RandomSeed: 1}
}

// TestPlan shows plans of small schemas, and holds them to what is said of every plan; and what is planned behind one
// for properties that nothing came of.
func TestPlan(t *testing.T) {
	t.Parallel()
	datadriven.RunTest(t, "testdata/plan.txt", func(t *testing.T, d *datadriven.TestData) string {
		o := read(t, d.Input)
		d.MaybeScanArgs(t, "max", &o.Max)
		plan, err := Make(o)
		if err != nil {
			return err.Error() + "\n"
		}
		holds(t, o)
		switch d.Cmd {
		case "coverage":
			return coverage(plan)
		case "more":
			var properties []string
			for _, argument := range d.CmdArgs {
				properties = append(properties, argument.Key)
			}
			more, err := More(o, plan, properties)
			if err != nil {
				t.Fatal(err)
			}
			return transcript(&Plan{Sequences: more})
		}
		return transcript(plan)
	})
}

func transcript(plan *Plan) string {
	var b strings.Builder
	for i, s := range plan.Sequences {
		fmt.Fprintf(&b, "%d\n", i+1)
		for _, o := range s.Operations {
			sign := " "
			switch {
			case o.Refused != "":
				sign = "x"
			case o.Misoperation:
				sign = "!"
			}
			fmt.Fprintf(&b, "  %s %s", sign, o.Name)
			if len(o.Sentinels) > 0 {
				fmt.Fprintf(&b, " %v", o.Sentinels)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func coverage(plan *Plan) string {
	var b strings.Builder
	for _, c := range plan.Coverage() {
		fmt.Fprintf(&b, "%s (%s): %s%s\n", c.Path, c.Type, strings.Join(c.Cases, ", "), c.Why)
	}
	return b.String()
}

// holds checks a plan: operations are taken or not as they say, each changes something,
// repairs take back what was before, and all is the same a second time and through
// JSON.
func holds(t *testing.T, o Options) {
	t.Helper()
	o.Server = o.Definition
	plan, err := Make(o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Make(o)
	if err != nil || again.Hash != plan.Hash {
		t.Errorf("hash %s, then %s", plan.Hash, again.Hash)
	}
	text, err := json.Marshal(plan)
	var back Plan
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || !equal(back.Sequences, plan.Sequences) {
		t.Errorf("not the same through JSON: %v", err)
	}
	sentinels := map[string]bool{}
	for _, s := range plan.Sequences {
		now := o.Seed
		var before history.Object
		for i, op := range s.Operations {
			next, err := op.Apply(now)
			if err != nil {
				t.Fatalf("%s: %v", op.Name, err)
			}
			if refused := reasons(o.Server.Refuses(next, now)); refused != op.Refused {
				t.Errorf("%s: refused for %q, planned for %q", op.Name, refused, op.Refused)
			}
			if !op.Content && equal(o.Server.Complete(next), o.Server.Complete(now)) {
				t.Errorf("%s changes nothing", op.Name)
			}
			if op.Repairs && !equal(o.Server.Complete(next), o.Server.Complete(before)) {
				t.Errorf("%s does not take back %s", op.Name, s.Operations[i-1].Name)
			}
			for _, text := range op.Sentinels {
				if sentinels[text] {
					t.Errorf("%s: %s stood somewhere before", op.Name, text)
				}
				sentinels[text] = true
			}
			if op.Refused == "" {
				before, now = now, next
			}
		}
	}
}
