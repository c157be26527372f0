package manifest

import (
	"context"
	"testing"
)

func TestLoadReadsAFolder(t *testing.T) {
	in, err := Load(context.Background(), []string{"testdata/good"}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Deployments) != 1 || len(in.Nodes) != 1 || len(in.Autoscalers) != 1 || len(in.DisruptionBudgets) != 1 || len(in.PriorityClasses) != 1 || len(in.Namespaces) != 1 {
		t.Fatalf("read %+v", in)
	}
	for path, line := range map[string]int{
		"":              7,
		"spec.replicas": 15,
		"spec.template.metadata.labels[app.kubernetes.io/name]":              13,
		"spec.template.metadata.labels.app.kubernetes.io/name":               13,
		"spec.template.metadata.labels.tier":                                 22,
		"spec.selector.matchLabels[app.kubernetes.io/name]":                  13,
		"spec.template.spec.containers[0].resources.requests[memory]":        29,
		"spec.template.spec.containers[0].resources.limits.cpu":              31,
		"spec.template.spec.containers[1].resources.limits.cpu":              32,
		"spec.template.spec.containers[7].resources.limits.cpu":              25,
		"spec.template.spec.affinity.nodeAffinity":                           23,
		"spec.template.spec.containers[0].resources.requests.cpu.what.is[0]": 29,
	} {
		if got := in.Deployments[0].Source.Position(path); got.Line != line || got.Object != "Deployment shop/web" || got.File != "testdata/good/shop.yaml" {
			t.Errorf("%s: %+v, want line %d", path, got, line)
		}
	}
	if got := in.Nodes[0].Source.Position("status.allocatable.memory"); got.Line != 11 || got.Column != 37 {
		t.Errorf("%+v", got)
	}
}
