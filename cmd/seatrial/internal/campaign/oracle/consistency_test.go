package oracle_test

import (
	"slices"
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// set is a valid operation that sets one property to a sentinel.
func set(path, value string) *operation.Operation {
	var steps []any
	for _, step := range strings.Split(path, ".") {
		name, isItem := strings.CutSuffix(step, "[]")
		if steps = append(steps, name); isItem {
			steps = append(steps, 0)
		}
	}
	return &operation.Operation{Property: path, Case: "changed", Changes: []operation.Change{{Path: steps, Value: value}}, Sentinels: []string{value}}
}

// TestConsistency: what the resource does not say any more is nowhere else.
func TestConsistency(t *testing.T) {
	const had = "{kind: Thing, metadata: {name: a}, spec: {team: st-1}}\n"
	cases := []struct {
		name, end, twin string
		want            []string
	}{
		{name: "the new value is everywhere", end: "{kind: Service, metadata: {name: a, annotations: {team: st-2}}}"},
		{
			name: "an old value stays", end: "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
			want: []string{`metadata.annotations.team of services * is still "st-1", which the resource does not say any more`},
		},
		{
			name: "in a Secret", end: "{kind: Secret, metadata: {name: a}, data: {config: c3QtMQ==}}",
			want: []string{`data.config of secrets * is still "c3QtMQ==", which the resource does not say any more`},
		},
		{
			name: "as a key", end: "{kind: ConfigMap, metadata: {name: a-env}, data: {st-1: x}}",
			want: []string{`data.* of configmaps *-env is still "st-1", which the resource does not say any more`},
		},
		{
			name: "it stays in the twin, too", end: "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
			twin: "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
		},
		{
			name: "it stays with all of its object", end: "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
			twin: "{kind: ConfigMap, metadata: {name: a}}",
		},
		{
			name: "the twin has another value", end: "{kind: Service, metadata: {name: a, annotations: {team: st-1}}}",
			twin: "{kind: Service, metadata: {name: a, annotations: {team: st-2}}}",
			want: []string{`metadata.annotations.team of services * is still "st-1", which the resource does not say any more`},
		},
		{name: "a claim keeps what it was made with", end: "{kind: PersistentVolumeClaim, metadata: {name: data-a-0, labels: {team: st-1}}}"},
		{name: "an old ReplicaSet", end: "{kind: ReplicaSet, metadata: {name: a-1, labels: {team: st-1}, ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: a, controller: true}]}}"},
		{name: "an event", end: "{kind: Event, metadata: {name: e}, message: st-1 was set}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			next := "{kind: Thing, metadata: {name: a}, spec: {team: st-2}}\n"
			k := caseOf(t, set("spec.team", "st-2"), had, next+c.end)
			k.Steps = []*oracle.Step{quiet(t, nil, "", thing), quiet(t, set("spec.team", "st-1"), thing, had), k.Last()}
			if c.twin != "" {
				k.Twin = quiet(t, nil, "", next+c.twin)
			}
			hold(t, "consistency", k, c.want)
		})
	}
}

// done is a run of a seed and one operation, which the custom resource says behind it.
func done(t *testing.T, o *operation.Operation, seed, end string) *oracle.Case {
	t.Helper()
	c := caseOf(t, o, seed, end)
	next, err := o.Apply(c.Last().End[key])
	if err != nil {
		t.Fatal(err)
	}
	c.Last().End[key] = next
	return c
}

// traced is an operation of TestTracer, and what came of it.
type traced struct {
	property, value string
	spec, objects   string
	wrote           bool
	// plain values cannot be followed.
	plain bool
	// seed is its spec, if that is not as usual.
	seed string
	// back: the property is removed, which the seed does not have.
	back bool
}

const tracedImage = "{kind: StatefulSet, metadata: {name: a}, spec: {template: {spec: {containers: [{name: web, image: %}]}}}}"

// tracerCases are what a campaign sees of properties, and what it learns of it.
var tracerCases = []struct {
	name      string
	steps     []traced
	dead      []string
	effective []string
}{
	{name: "values that go somewhere", steps: []traced{
		{property: "spec.image", value: "st-1", objects: strings.ReplaceAll(tracedImage, "%", "st-1")},
		{property: "spec.image", value: "st-2", objects: strings.ReplaceAll(tracedImage, "%", "st-2")},
	}, effective: []string{"spec.image"}},
	{
		name: "values that go nowhere", steps: []traced{{property: "spec.image", value: "st-1"}, {property: "spec.image", value: "st-2"}},
		dead: []string{"nothing comes of spec.image: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{name: "one is not enough", steps: []traced{{property: "spec.image", value: "st-1"}, {property: "spec.image", value: "st-1"}}},
	{name: "the way back is no second value", steps: []traced{{property: "spec.image", value: "st-1"}, {property: "spec.image", back: true}}},
	{
		name: "all that a boolean can be", steps: []traced{{property: "spec.on", value: "st-1"}, {property: "spec.on", value: "st-2"}},
		dead: []string{"nothing comes of spec.on: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{name: "one of two, which may be what its absence means", steps: []traced{{property: "spec.on", value: "st-1"}, {property: "spec.on", back: true}}},
	{
		name: "the other of two, where the seed has one", steps: []traced{{property: "spec.on", value: "st-1", seed: "{'on': false}"}},
		dead: []string{"nothing comes of spec.on: its other value was tried, and is nowhere, nor did the operator write anything"},
	},
	{name: "the operator writes something of another form", steps: []traced{
		{property: "spec.image", value: "st-1", wrote: true}, {property: "spec.image", value: "st-2"},
	}, effective: []string{"spec.image"}},
	{name: "what it is of is not enabled", steps: []traced{
		{property: "spec.tls.secret", value: "st-1", spec: "{tls: {enabled: false, secret: st-1}}"},
		{property: "spec.tls.secret", value: "st-2", spec: "{tls: {enabled: false, secret: st-2}}"},
	}},
	{name: "what is taken in the place of what is made", steps: []traced{
		{property: "spec.account.existingName", value: "st-1", spec: "{account: {create: true, existingName: st-1}}"},
		{property: "spec.account.existingName", value: "st-2", spec: "{account: {create: true, existingName: st-2}}"},
	}},
	{
		name: "and is not made", steps: []traced{
			{property: "spec.account.existingName", value: "st-1", spec: "{account: {create: false, existingName: st-1}}"},
			{property: "spec.account.existingName", value: "st-2", spec: "{account: {create: false, existingName: st-2}}"},
		},
		dead: []string{"nothing comes of spec.account.existingName: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{name: "it is of one of several kinds", steps: []traced{
		{property: "spec.storage.size", value: "st-1", spec: "{storage: {type: ephemeral, size: st-1}}"},
		{property: "spec.storage.size", value: "st-2", spec: "{storage: {type: ephemeral, size: st-2}}"},
	}},
	{name: "its items are of one of several kinds", steps: []traced{
		{property: "spec.storage.hosts[]", value: "st-1", spec: "{storage: {type: ephemeral, hosts: [st-1]}}"},
		{property: "spec.storage.hosts[]", value: "st-2", spec: "{storage: {type: ephemeral, hosts: [st-2]}}"},
	}},
	{
		name: "every Service has a port", steps: []traced{
			{property: "spec.service.port", value: "st-1", spec: "{service: {type: ClusterIP, port: st-1}}"},
			{property: "spec.service.port", value: "st-2", spec: "{service: {type: ClusterIP, port: st-2}}"},
		},
		dead: []string{"nothing comes of spec.service.port: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{name: "it may be an Ingress, and have none", steps: []traced{
		{property: "spec.expose.port", value: "st-1", spec: "{expose: {type: ClusterIP, port: st-1}}"},
		{property: "spec.expose.port", value: "st-2", spec: "{expose: {type: ClusterIP, port: st-2}}"},
	}},
	{name: "only some Services have a load balancer", steps: []traced{
		{property: "spec.service.loadBalancerClass", value: "st-1", spec: "{service: {type: ClusterIP, loadBalancerClass: st-1}}"},
		{property: "spec.service.loadBalancerClass", value: "st-2", spec: "{service: {type: ClusterIP, loadBalancerClass: st-2}}"},
	}},
	{
		name: "what it is of is enabled", steps: []traced{
			{property: "spec.tls.secret", value: "st-1", spec: "{tls: {enabled: true, secret: st-1}}"},
			{property: "spec.tls.secret", value: "st-2", spec: "{tls: {enabled: true, secret: st-2}}"},
		},
		dead: []string{"nothing comes of spec.tls.secret: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{
		name: "another's value takes its place", steps: []traced{
			{property: "spec.reader.team", value: "st-1"},
			{property: "spec.reader.team", value: "st-2"},
			{property: "spec.writer.team", value: "st-3", objects: "{kind: Service, metadata: {name: a-reader, labels: {team: st-3}}}\n{kind: Service, metadata: {name: a-writer, labels: {team: st-3}}}"},
		},
		dead:      []string{"nothing comes of spec.reader.team, and spec.writer.team goes to two places: metadata.labels.team of services *-reader, and metadata.labels.team of services *-writer"},
		effective: []string{"spec.writer.team"},
	},
	{
		name: "another's value takes its place, and cannot be followed", steps: []traced{
			{property: "spec.reader.grace", value: "5", plain: true},
			{property: "spec.writer.grace", value: "6", plain: true, wrote: true, objects: "{kind: Deployment, metadata: {name: a-reader}, spec: {grace: 6}}\n{kind: StatefulSet, metadata: {name: a-writer}, spec: {grace: 6}}"},
		},
		dead:      []string{"nothing comes of spec.reader.grace, and spec.writer.grace goes to two places: spec.grace of deployments.apps *-reader, and spec.grace of statefulsets.apps *-writer"},
		effective: []string{"spec.writer.grace"},
	},
	{
		name: "another's value takes its file", steps: []traced{
			{property: "spec.reader.team", value: "st-1"},
			{property: "spec.writer.team", value: "st-3", objects: "{kind: ConfigMap, metadata: {name: a-reader}, data: {team: st-3}}\n{kind: ConfigMap, metadata: {name: a-writer}, data: {team: st-3}}"},
		},
		dead:      []string{"nothing comes of spec.reader.team, and spec.writer.team goes to two places: data.team of configmaps *-reader, and data.team of configmaps *-writer"},
		effective: []string{"spec.writer.team"},
	},
	{
		name: "another's value is in two files", steps: []traced{
			{property: "spec.reader.team", value: "st-1"},
			{property: "spec.writer.team", value: "st-3", objects: "{kind: ConfigMap, metadata: {name: a-ready}, data: {ready.sh: st-3}}\n{kind: ConfigMap, metadata: {name: a}, data: {a.conf: st-3}}"},
		},
		effective: []string{"spec.writer.team"},
	},
	{
		name: "another's value goes to a Deployment, and so to its ReplicaSet", steps: []traced{
			{property: "spec.reader.team", value: "st-1"},
			{property: "spec.reader.team", value: "st-2"},
			{property: "spec.writer.team", value: "st-3", objects: "{kind: Deployment, metadata: {name: a}, spec: {team: st-3}}\n{kind: ReplicaSet, metadata: {name: a-6d4}, spec: {team: st-3}}"},
		},
		dead:      []string{"nothing comes of spec.reader.team: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
		effective: []string{"spec.writer.team"},
	},
	{
		name: "nothing comes of a whole, and so of its parts", steps: []traced{
			{property: "spec.tls", value: "st-1"},
			{property: "spec.tls", value: "st-2"},
			{property: "spec.tls.secret", value: "st-3"},
			{property: "spec.tls.secret", value: "st-4"},
		},
		dead: []string{"nothing comes of spec.tls: 2 different values of it were tried, and none is anywhere, nor did the operator write anything"},
	},
	{
		name: "nothing comes of a whole without its parts, and something of one", steps: []traced{
			{property: "spec.tls", value: "st-1"},
			{property: "spec.tls", value: "st-2"},
			{property: "spec.tls.secret", value: "st-3", wrote: true},
		},
		effective: []string{"spec.tls.secret"},
	},
}

// TestTracer: what a campaign learns of properties.
func TestTracer(t *testing.T) {
	plain := func(o *operation.Operation) *operation.Operation {
		o.Sentinels = nil
		return o
	}
	status := "{kind: Thing, metadata: {name: a}, status: {phase: Ready}}"
	for _, c := range tracerCases {
		for _, backwards := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				tracer := oracle.NewTracer(&schema.Property{Path: "spec.on", Schema: &structural.Structural{Generic: structural.Generic{Type: "boolean"}}}, &schema.Property{
					Path: "spec.expose.type", Schema: &structural.Structural{ValueValidation: &structural.ValueValidation{Enum: []structural.JSON{{Object: "ClusterIP"}, {Object: "Ingress"}}}},
				})
				steps := slices.Clone(c.steps)
				if backwards {
					slices.Reverse(steps)
				}
				for _, s := range steps {
					if s.spec == "" {
						s.spec = "{}"
					}
					seed := thing
					if s.seed != "" {
						seed = "{kind: Thing, metadata: {name: a}, spec: " + s.seed + "}\n"
					}
					o := set(s.property, s.value)
					if s.plain {
						o = plain(o)
					}
					if s.back {
						o.Changes[0].Remove = true
					}
					k := done(t, o, seed, "{kind: Thing, metadata: {name: a}, spec: "+s.spec+"}\n"+s.objects)
					if s.plain {
						k.Last().Start = state(t, thing+"{kind: Deployment, metadata: {name: a-reader}, spec: {grace: 1}}\n{kind: StatefulSet, metadata: {name: a-writer}, spec: {grace: 1}}")
					}
					if s.wrote {
						k.Last().Events = []history.Event{write(t, thing, status)}
					}
					tracer.Add(k, nil)
				}
				var dead []string
				for _, d := range tracer.Judge(nil) {
					dead = append(dead, d.Text)
				}
				if !slices.Equal(dead, c.dead) {
					t.Errorf("got %q\nwant %q", dead, c.dead)
				}
				for _, d := range tracer.Judge(func(name string) bool { return name == "dead-property" }) {
					if strings.HasPrefix(d.Text, "nothing comes of") {
						t.Errorf("that is not known: %s", d.Text)
					}
				}
				for _, s := range steps {
					if got, want := tracer.Effective(s.property), slices.Contains(c.effective, s.property); got != want {
						t.Errorf("%s effective: %t, want %t", s.property, got, want)
					}
				}
			})
		}
	}
}

// TestTracerBesideTwin: what is not as in the twin comes of the property, unless it was so before, or is so beside
// another twin only.
func TestTracerBesideTwin(t *testing.T) {
	const old, other = "{kind: Service, metadata: {name: a}, spec: {port: 1}}", "{kind: Service, metadata: {name: a}, spec: {port: 2}}"
	service, _ := object(t, old)
	cases := []struct {
		name         string
		known        []oracle.Deviation
		twin, second string
		want         bool
	}{
		{name: "nothing differs", twin: old},
		{name: "it differs", twin: other, want: true},
		{name: "it did before", twin: other, known: []oracle.Deviation{{Object: service, Path: "spec.port"}}},
		{name: "another field did before", twin: other, known: []oracle.Deviation{{Object: service, Path: "spec.type"}}, want: true},
		{name: "the object was not there before", twin: other, known: []oracle.Deviation{{Object: service}}},
		{name: "from one twin only", twin: other, second: old},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := set("spec.team", "st-1")
			k := done(t, o, thing+old, thing+old)
			k.Twin = done(t, o, "", thing+c.twin).Last()
			if c.second != "" {
				k.Twice = done(t, o, "", thing+c.second).Last()
			}
			tracer := oracle.NewTracer()
			tracer.Add(k, c.known)
			if got := tracer.Effective("spec.team"); got != c.want {
				t.Errorf("effective: %t, want %t", got, c.want)
			}
		})
	}
}

// TestTracerOfFailures: nothing is learned of a value at which the operator fails.
func TestTracerOfFailures(t *testing.T) {
	k := caseOf(t, set("spec.team", "st-1"), thing, "{kind: Thing, metadata: {name: a}, spec: {team: st-1}}")
	if oracle.NewTracer().Add(k, nil) == nil {
		t.Error("nothing is learned though it does not fail")
	}
	k.Steps = []*oracle.Step{k.Steps[0], quiet(t, &operation.Operation{Property: "spec.other", Misoperation: true}, thing, thing), k.Last()}
	if got := oracle.NewTracer().Add(k, nil); got != nil {
		t.Error("something is learned of what was done in a pause")
	}
	k.Steps = k.Steps[1:]
	k.Steps[0].Operation = nil
	k.Last().Rest.Failing = []string{"thing"}
	if got := oracle.NewTracer().Add(k, nil); got != nil {
		t.Errorf("it learns %+v", got)
	}
}
