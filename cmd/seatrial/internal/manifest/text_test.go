package manifest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const rendered = `---
# Source: web/templates/all.yaml
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec:
        containers: [{name: c, image: "web:1"}]
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: {name: own, namespace: own}
  spec:
    minAvailable: 1
    selector: {matchLabels: {app: web}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web, labels: {n: "9007199254740993"}}
spec: {scaleTargetRef: {name: web}}
`

func TestObjectsOfATextAreInItsNamespace(t *testing.T) {
	text := Text{Name: "<helm web>", Data: []byte(rendered), Namespace: "shop", Origin: func(line int, _ []byte) string { return fmt.Sprintf("from-%d.yaml", line) }}
	in, err := Load(context.Background(), nil, strings.NewReader(""), Options{Texts: []Text{text}})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{
		in.Deployments[0].Source.Position("spec.template").FileLine(),
		in.DisruptionBudgets[0].Source.Position("").FileLine(),
		in.Nodes[0].Source.Position("").FileLine(),
	}
	for _, o := range in.Omissions(nil) {
		if strings.HasPrefix(o.Name, "ScaledObject") {
			got = append(got, o.Name+": "+o.Reason)
		}
	}
	want := []string{
		"from-3.yaml (rendered, Deployment shop/web spec.template)",
		"from-3.yaml (rendered, PodDisruptionBudget own/own)",
		"from-22.yaml (rendered, Node n1)",
		"ScaledObject/shop/web: custom resource (keda.sh/v1alpha1) is not modelled; it names Deployment shop/web and may write it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if in.Deployments[0].Value.Namespace != "shop" || !strings.Contains(string(in.Deployments[0].Raw), `"namespace":"shop"`) {
		t.Errorf("what would be applied is %s", in.Deployments[0].Raw)
	}
	if _, ok := in.Text("<helm web>"); !ok || in.Files != 1 || in.Digests[0].File != "<helm web>" {
		t.Errorf("%d files, %v", in.Files, in.Digests)
	}
}
