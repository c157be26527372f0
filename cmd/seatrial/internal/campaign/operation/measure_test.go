package operation

import (
	"os"
	"strconv"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/kind"
	"github.com/seatrial/seatrial/history"
)

// TestMeasure counts what a CRD gives: CRD=… SEED=….
func TestMeasure(t *testing.T) {
	file := os.Getenv("CRD")
	if file == "" {
		t.Skip("CRD is not set")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.Unmarshal(text, &crd); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]string{}
	for _, pair := range strings.Fields(os.Getenv("KINDS")) {
		path, kind, _ := strings.Cut(pair, "=")
		kinds[path] = kind
	}
	d := opened(t, &crd, nil)
	if err := kind.Recognise(d.Root, kinds); err != nil {
		t.Fatal(err)
	}
	max, _ := strconv.Atoi(os.Getenv("MAX"))
	var seed history.Object
	if err := yaml.Unmarshal([]byte(os.Getenv("SEED")), &seed); err != nil {
		t.Fatal(err)
	}
	plan, err := Make(Options{Definition: d, Seed: seed, Max: max})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range plan.Sequences {
		t.Log(i)
		for _, o := range s.Operations {
			flag := " "
			if o.Misoperation {
				flag = "!"
			}
			if o.Refused != "" {
				flag = "x"
			}
			t.Log("   ", flag, o.Name, o.Sentinels)
		}
	}
	for _, c := range plan.Coverage() {
		if c.Why != "" {
			t.Log(c.Path, c.Why)
		}
	}
	t.Log(plan.Operations(), plan.Hash, len(plan.Covered))
}
