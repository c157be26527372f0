package campaign

import (
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestCause: what is one cause however it was seen, and what is not.
func TestCause(t *testing.T) {
	service := history.Key{Resource: "services", Namespace: "default", Name: "web"}
	other := history.Key{Resource: "services", Namespace: "default", Name: "admin"}
	at := func(name string, o history.Key, path string) oracle.Group {
		return oracle.Group{Class: name + " " + path, Lead: oracle.Deviation{Oracle: name, Object: o, Path: path}}
	}
	for _, c := range []struct {
		name string
		a, b oracle.Group
		same bool
	}{
		{"another key of the annotations", at("twin", service, "metadata.annotations.team"), at("twin", service, "metadata.annotations[a.b/c]"), true},
		{"behind a repair", at("twin", service, "metadata.labels.a"), at("recovery", service, "metadata.labels.b"), true},
		{"followed by its value", at("twin", service, "metadata.annotations.a"), at("consistency", service, "metadata.annotations.b"), true},
		{"another item of a list", at("twin", service, "spec.ports[a].port"), at("twin", service, "spec.ports[b].port"), true},
		{"another object", at("twin", service, "metadata.annotations.a"), at("twin", other, "metadata.annotations.a"), false},
		{"another field", at("twin", service, "metadata.annotations.a"), at("twin", service, "spec.type"), false},
		{"what has no field", at("crash", history.Key{}, ""), at("twin", service, ""), false},
	} {
		if got := cause(c.a, history.Key{}) == cause(c.b, history.Key{}); got != c.same {
			t.Errorf("%s: the same is %t, want %t", c.name, got, c.same)
		}
	}
}

// TestFold: what is in an object that should not be there is not told beside it, nor in later steps.
func TestFold(t *testing.T) {
	exporter := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "exporter"}
	stays := oracle.Deviation{Oracle: "twin", Object: exporter, Found: "there"}
	image := oracle.Deviation{Oracle: "consistency", Object: exporter, Path: "spec.image", Found: "st-1"}
	port := oracle.Deviation{Oracle: "twin", Object: history.Key{Resource: "services", Name: "web"}, Path: "spec.port"}
	groups := fold([]oracle.Group{{Lead: stays}, {Lead: image}, {Lead: port}})
	if len(groups) != 2 || groups[0].Lead.Object != exporter || groups[1].Lead.Path != "spec.port" {
		t.Errorf("got %v, want the Deployment and the port", groups)
	}
	if left := without([]oracle.Deviation{image, port}, []oracle.Deviation{stays}); len(left) != 1 || left[0].Path != "spec.port" {
		t.Errorf("behind it: got %v, want the port", left)
	}
}
