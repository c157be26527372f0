package campaign

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/history"
)

// TestCause: what is one cause however it was seen, and what is not.
func TestCause(t *testing.T) {
	service := history.Key{Resource: "services", Namespace: "default", Name: "web"}
	other := history.Key{Resource: "services", Namespace: "default", Name: "admin"}
	at := func(name string, o history.Key, path string) oracle.Group {
		return oracle.Group{Lead: oracle.Deviation{Oracle: name, Object: o, Path: path}}
	}
	stays := func(name string) oracle.Group {
		return oracle.Group{Lead: oracle.Deviation{Oracle: "twin", Object: history.Key{Resource: "configmaps", Name: name}, Place: "stays"}}
	}
	said := func(place string) oracle.Group {
		return oracle.Group{Lead: oracle.Deviation{Oracle: "health", Object: service, Place: place}}
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
		{"another file of a ConfigMap", at("rollout", service, "data[a.json]"), at("rollout", service, "data[b.json]"), true},
		{"an oracle that is about something else", at("twin", service, "data[a.json]"), at("rollout", service, "data[a.json]"), false},
		{"another drawn name", stays("web-st-p4-o1"), stays("web-st-p4-o12-1"), true},
		{"a name that was drawn for another property", stays("web-st-p4-o1"), stays("web-st-p40-o1"), false},
		{"another of those that are numbered", stays("web-shard-1"), stays("web-shard-12"), true},
		{"the same of another kind", stays("web-shard-1-config"), stays("web-shard-2-claims"), false},
		{"a number in a name", stays("web2"), stays("web3"), false},
		{"another object", at("twin", service, "metadata.annotations.a"), at("twin", other, "metadata.annotations.a"), false},
		{"another field", at("twin", service, "metadata.annotations.a"), at("twin", service, "spec.type"), false},
		{"another condition", said("condition Ready"), said("condition Scaled"), false},
		{"the same condition", said("condition Ready"), said("condition Ready"), true},
		{"what has no field", at("crash", history.Key{}, ""), at("twin", service, ""), false},
	} {
		if got := cause(c.a, history.Key{}) == cause(c.b, history.Key{}); got != c.same {
			t.Errorf("%s: the same is %t, want %t", c.name, got, c.same)
		}
	}
}

// TestLed: what stands behind something else that is wrong by then is seen again, unless that is a crash.
func TestLed(t *testing.T) {
	of := func(name, object string) oracle.Deviation {
		return oracle.Deviation{Oracle: name, Object: history.Key{Resource: "services", Name: object}, Path: "metadata.annotations.a", Place: "metadata.annotations.a", Text: object}
	}
	for _, c := range []struct {
		name string
		all  []oracle.Deviation
		want string // the texts of the group, the lead first
	}{
		{"alone", []oracle.Deviation{of("twin", "b")}, "[b]"},
		{"behind the same field of another object", []oracle.Deviation{of("twin", "a"), of("twin", "b"), of("twin", "c")}, "[b a c]"},
		{"another object", []oracle.Deviation{of("twin", "a")}, "[]"},
		{"behind a crash", []oracle.Deviation{of("crash", "a"), of("twin", "b")}, "[]"},
	} {
		g, found := led(oracle.Root(c.all, "spec.x"), "services b metadata.annotations.*", history.Key{})
		var got []string
		for _, d := range append([]oracle.Deviation{g.Lead}, g.Others...) {
			if found {
				got = append(got, d.Text)
			}
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// TestShortest: the way with the fewest changes is the first, and there is one for each property.
func TestShortest(t *testing.T) {
	of := func(words ...string) *seen {
		s := &seen{}
		for _, w := range words {
			o := &operation.Operation{}
			for _, p := range strings.Split(w, "+") {
				if o.Changes = append(o.Changes, operation.Change{Path: []any{p}}); o.Property == "" {
					o.Property = p
				} else {
					o.With = append(o.With, p)
				}
			}
			s.path = append(s.path, o)
		}
		return s
	}
	var got []string
	for _, s := range shortest([]*seen{of("a+b+c+d"), of("x", "b", "b"), of("c", "c"), of("y", "c"), of("z", "z", "d"), of("x", "e", "e", "e")}) {
		got = append(got, fmt.Sprint(s.property(), len(s.path)))
	}
	deep := shortest([]*seen{of("spec.override.a"), of("spec.a")})
	if got := deep[0].property(); got != "spec.a" {
		t.Errorf("of as many changes, %s is the first", got)
	}
	if want := "[c2 d3 b3]"; fmt.Sprint(got) != want { // what is not about d is mostly not needed
		t.Errorf("%v, want %s", got, want)
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

// What is seen of one field beside a twin, and when the operator is started again, is one finding, and the twin says
// it.
func TestMerge(t *testing.T) {
	worker := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "worker"}
	other := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "other"}
	one := func(by, path string, of history.Key) *Finding {
		return &Finding{Deviations: []oracle.Deviation{{Oracle: by, Object: of, Path: path, Property: by + path}}, Seen: 1, Restart: by == "restart"}
	}
	for _, test := range []struct {
		name string
		all  []*Finding
		want []string
	}{
		{"an item, and what is in another", []*Finding{one("restart", "spec.env[A]", worker), one("twin", "spec.env[B].value", worker)}, []string{"twin 2"}},
		{"two fields", []*Finding{one("twin", "spec.env[A]", worker), one("twin", "spec.environment", worker)}, []string{"twin 1", "twin 1"}},
		{"two objects", []*Finding{one("twin", "spec.env", worker), one("restart", "spec.env", other)}, []string{"twin 1", "restart 1"}},
		{"an oracle that is about no field", []*Finding{one("deletion", "spec.env", worker), one("twin", "spec.env", worker)}, []string{"twin 1", "deletion 1"}},
	} {
		var got []string
		for _, f := range merge(test.all) {
			got = append(got, fmt.Sprintf("%s %d", f.Deviations[0].Oracle, f.Seen))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// What several properties show at once is no finding of its own beside what one of them shows alone.
func TestMergeOfSeveral(t *testing.T) {
	worker := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "worker"}
	other := history.Key{Resource: "deployments.apps", Namespace: "default", Name: "other"}
	of := func(property string, with []string, all ...oracle.Deviation) *Finding {
		return &Finding{Operations: []*operation.Operation{{Property: property, With: with}}, Deviations: all, Seen: 1, Failed: 2}
	}
	labels := oracle.Deviation{Oracle: "twin", Object: worker, Path: "spec.template.metadata.labels.a", Place: "spec.template.metadata.labels.*"}
	image := oracle.Deviation{Oracle: "twin", Object: worker, Path: "spec.template.spec.image", Place: "spec.template.spec.image"}
	others := oracle.Deviation{Oracle: "twin", Object: other, Path: "spec.template.metadata.labels.b", Place: "spec.template.metadata.labels.*"}
	service := oracle.Deviation{Oracle: "twin", Object: history.Key{Resource: "services", Name: "worker"}, Path: "spec.ports", Place: "spec.ports"}
	fails := oracle.Deviation{Oracle: "health", Object: worker, Place: "reconcile errors web"}
	failsElse := oracle.Deviation{Oracle: "health", Object: worker, Place: "reconcile errors worker"}
	shard := func(name string) oracle.Deviation {
		return oracle.Deviation{Oracle: "twin", Object: history.Key{Resource: "configmaps", Namespace: "default", Name: name}, Place: "stays"}
	}
	written := oracle.Deviation{Oracle: "twin", Object: history.Key{Resource: "webs.example.com", Name: "web"}, Path: "spec.pod.labels.a", Own: true}
	unsure := of("spec.podLabels", nil, labels)
	unsure.Failed = 0
	for _, test := range []struct {
		name string
		all  []*Finding
		want []string
	}{
		{"the same field of another object", []*Finding{of("spec.servers", []string{"spec.podLabels"}, others), of("spec.podLabels", nil, labels)}, []string{"spec.podLabels 2"}},
		{"what the operator writes into the spec, and what comes of it", []*Finding{of("spec.podLabels", nil, labels), of("spec.podLabels", nil, written)}, []string{"spec.podLabels 2"}},
		{"what it writes behind another property", []*Finding{of("spec.image", nil, image), of("spec.podLabels", nil, written)}, []string{"spec.image 1", "spec.podLabels 1"}},
		{"which is not what leads it", []*Finding{of("spec.podLabels", []string{"spec.servers"}, service, others), of("spec.podLabels", nil, labels)}, []string{"spec.podLabels 1", "spec.podLabels, spec.servers 1"}},
		{"another difference", []*Finding{of("spec.podLabels", []string{"spec.servers"}, service), of("spec.podLabels", nil, labels)}, []string{"spec.podLabels 1", "spec.podLabels, spec.servers 1"}},
		{"another property", []*Finding{of("spec.podLabels", []string{"spec.servers"}, others), of("spec.image", nil, image)}, []string{"spec.image 1", "spec.podLabels, spec.servers 1"}},
		{"another of those that are numbered", []*Finding{of("spec.size", []string{"spec.shards"}, shard("web-shard-2")), of("spec.shards", nil, shard("web-shard-1"))}, []string{"spec.shards 2"}},
		{"reconciles of one controller fail", []*Finding{of("spec.podLabels", []string{"spec.servers"}, service, fails), of("spec.podLabels", nil, labels, fails)}, []string{"spec.podLabels 2"}},
		{"of another one", []*Finding{of("spec.podLabels", []string{"spec.servers"}, service, fails), of("spec.podLabels", nil, labels, failsElse)}, []string{"spec.podLabels 1", "spec.podLabels, spec.servers 1"}},
		{"one that is not confirmed", []*Finding{of("spec.podLabels", []string{"spec.servers"}, others), unsure}, []string{"spec.podLabels, spec.servers 1", "spec.podLabels 1"}},
	} {
		var got []string
		for _, f := range merge(test.all) {
			got = append(got, fmt.Sprint(f.Property(), " ", f.Seen))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// Less of an operation may be about another item of a list, of which objects of another name are made.
func TestAlike(t *testing.T) {
	dev, prod := history.Key{Resource: "namespaces", Name: "dev"}, history.Key{Resource: "namespaces", Name: "prod"}
	of := func(by string, o history.Key, path string) oracle.Deviation {
		return oracle.Deviation{Oracle: by, Object: o, Path: path}
	}
	for _, c := range []struct {
		name string
		a, b oracle.Deviation
		want bool
	}{
		{"another name", of("twin", dev, "metadata.labels.a"), of("twin", prod, "metadata.labels.b"), true},
		{"another field", of("twin", dev, "metadata.labels.a"), of("twin", prod, "spec.finalizers"), false},
		{"another resource", of("twin", dev, "metadata.labels.a"), of("twin", history.Key{Resource: "services", Name: "dev"}, "metadata.labels.a"), false},
		{"another oracle", of("twin", dev, "metadata.labels.a"), of("recovery", dev, "metadata.labels.a"), false},
		{"objects that stay", of("twin", dev, ""), of("twin", prod, ""), false},
		{"what is beside no twin", of("rollout", dev, "data.a"), of("rollout", prod, "data.a"), false},
	} {
		if got := alike(c.a, c.b); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
