package finding

import "testing"

func TestAPlaceIsSaidAsPeopleAndProgramsCanUseIt(t *testing.T) {
	rendered := Location{File: "<helm web charts/web>", Origin: "charts/web/templates/web.yaml", Line: 12, Column: 3, Object: "Deployment default/web", Field: "spec.replicas"}
	unknown := rendered
	unknown.Origin = ""
	unparsed := Location{File: "<kustomize deploy>", Origin: "deploy/kustomization.yaml", Line: 7}
	cases := []struct {
		name     string
		at       Location
		people   string
		artifact string
		line     int
	}{
		{"nothing is known", Location{}, "", "", 0},
		{"a file", Location{File: "a.yaml"}, "a.yaml", "a.yaml", 0},
		{"a line of a file", Location{File: "a.yaml", Line: 3, Column: 5, Object: "Deployment default/web"}, "a.yaml:3", "a.yaml", 3},
		{"standard input can be counted, and not opened", Location{File: "<stdin>", Line: 3, Object: "Deployment default/web"}, "<stdin>:3", "", 0},
		{"rendered, from a file that is known", rendered, "charts/web/templates/web.yaml (rendered, Deployment default/web spec.replicas)", "charts/web/templates/web.yaml", 0},
		{"an object by its kind", Location{File: "<helm web>", Line: 1, Object: "Secret default/a", Field: "kind"}, "Secret default/a (helm web)", "", 0},
		{"rendered, from an archive somewhere", unknown, "Deployment default/web spec.replicas (helm web charts/web)", "", 0},
		{"rendered, and no object", unparsed, "deploy/kustomization.yaml (rendered, line 7)", "deploy/kustomization.yaml", 0},
		{"all that was rendered", Location{File: "<kustomize deploy>", Origin: "deploy/kustomization.yaml"}, "deploy/kustomization.yaml (rendered)", "deploy/kustomization.yaml", 0},
		{"of a cluster", Location{File: "<live, context prod>", Line: 40, Object: "Node worker-1"}, "Node worker-1 (live, context prod)", "", 0},
		{"a whole cluster", Location{File: "<live, context prod>"}, "live, context prod", "", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.at.FileLine(); got != c.people {
				t.Errorf("people read %q, want %q", got, c.people)
			}
			file, line, _, ok := c.at.Artifact()
			if file != c.artifact || line != c.line || ok != (c.artifact != "") {
				t.Errorf("programs read %q, %d, %v", file, line, ok)
			}
		})
	}
}
