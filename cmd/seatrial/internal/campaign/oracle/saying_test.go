package oracle_test

import (
	"cmp"
	"maps"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/history"
)

// merge is an object with a field of its spec.
func merge(o history.Object, field string, v any) history.Object {
	o = maps.Clone(o)
	spec, _ := o.At("spec").(map[string]any)
	spec = maps.Clone(spec)
	if spec == nil {
		spec = map[string]any{}
	}
	spec[field] = v
	o["spec"] = spec
	return o
}

// TestRefusal: a status that says that something is not done is believed, in whatever words; one that says what went
// wrong is not.
func TestRefusal(t *testing.T) {
	of := func(message string) string {
		return "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Synced, status: 'False', message: " + message + "}]}}\n"
	}
	for words, refuses := range map[string]bool{
		"reason: StorageImmutable":       true,
		"reason: ChangeNotSupported":     true,
		"reason: ReconcileFailed":        false,
		"reason: InvalidSpec":            false, // whether of this resource or of the change is not said
		"message: requires recreation":   true,
		"message: recreating the volume": false,
	} {
		condition := "{kind: Thing, metadata: {name: a}, status: {conditions: [{type: Synced, status: 'False', " + words + "}]}}\n"
		k := twins(t, property("spec.size"), "", condition+"{kind: ConfigMap, metadata: {name: a}}", thing, "")
		if silent := len(said("twin", k)) == 0; silent != refuses {
			t.Errorf("%q is taken for a refusal: %t", words, silent)
		}
	}
	for message, refuses := range map[string]bool{
		"the disk cannot be made smaller":                 true,
		"volumes can't be shrunk":                         true,
		"size 1Gi is less than the current size":          true,
		"shrinking volumes is not implemented":            true,
		"the class may not be switched":                   true,
		"downgrades are not permitted":                    true,
		"the mode will not change while members are left": true,
		"spec.size is invalid":                            true,
		"the operation cannot be fulfilled now":           false,
		"cannot make a connection to the database":        false,
		"the secret cannot be found":                      false,
		"more than half of the members are gone":          false,
		"connection refused by the database":              false,
	} {
		k := twins(t, property("spec.size"), "", of(message)+"{kind: ConfigMap, metadata: {name: a}}", thing, "")
		if silent := len(said("twin", k)) == 0; silent != refuses {
			t.Errorf("%q is taken for a refusal: %t", message, silent)
		}
	}
}

// TestWarning: a warning about the resource is as good as its status, if it was not there before.
func TestWarning(t *testing.T) {
	of := func(kind, name, message string) string {
		return "{kind: Event, metadata: {name: e1}, type: " + kind + ", reason: Ignored, message: " + message + ", involvedObject: {name: " + name + "}}\n"
	}
	const old = "{kind: ConfigMap, metadata: {name: a}}"
	for _, c := range []struct {
		name         string
		before, last string
		silent       bool
	}{
		{"a warning about it", "", of("Warning", "a", "storageClassName cannot be changed"), true},
		{"one of before", of("Warning", "a", "storageClassName cannot be changed"), of("Warning", "a", "storageClassName cannot be changed"), false},
		{"no warning", "", of("Normal", "a", "storageClassName cannot be changed"), false},
		{"about something else", "", of("Warning", "b", "storageClassName cannot be changed"), false},
		{"of another kind, from the operator", "", of("Warning", "a, kind: Deployment", "storageClassName cannot be changed"), true},
		{"of another kind, from Kubernetes", "", strings.Replace(of("Warning", "a, kind: HorizontalPodAutoscaler", "invalid metrics"), "{kind", "{source: {component: horizontal-pod-autoscaler}, kind", 1), false},
		{"of its kind", "", of("Warning", "a, kind: Thing", "storageClassName cannot be changed"), true},
		{"its reason alone", "", of("Warning", "a", "the volume was found"), true},
	} {
		k := twins(t, property("spec.size"), thing+c.before, thing+c.last+old, thing, "")
		if silent := len(said("twin", k)) == 0; silent != c.silent {
			t.Errorf("%s: it is silent: %t, want %t", c.name, silent, c.silent)
		}
	}
}

// TestFails: where the operator fails, and fails where the resource was never another, too, there is
// nothing to compare with. What waits to be ready is no failure.
func TestFails(t *testing.T) {
	const old = "{kind: ConfigMap, metadata: {name: a}}"
	of := func(condition string) string {
		return "{kind: Thing, metadata: {name: a}, status: {conditions: [" + condition + "]}}\n"
	}
	other := of(`{type: ReconcileSuccess, status: "False", message: no such host}`)
	missing := of(`{type: Configured, status: "False", message: there is no ConfigMap "st-1"}`)
	rejected := of(`{type: Accepted, status: "False", reason: Invalid, message: "memory st-1: quantities have a number"}`)
	phase := "{kind: Thing, metadata: {name: a}, status: {phase: 'Invalid: st-1'}}\n"
	phased := func(phase, message string) string {
		return "{kind: Thing, metadata: {name: a}, spec: {config: old-value}, status: {phase: " + phase + ", message: '" + message + "'}}\n"
	}
	const named = "{kind: Secret, metadata: {name: st-1}}\n"
	no, unready := of(`{type: ReconcileSuccess, status: "False", message: no such key}`), of(`{type: AllReady, status: "False"}`)
	cases := []struct {
		name                   string
		seed, last, twin       string
		failing, failingInTwin []string
		prints, printsInTwin   string
		seedPrints             string
		number                 bool // no text is set that could be found again
		speaks, fails          bool
	}{
		{name: "in neither", last: thing, twin: thing, speaks: true},
		{name: "conditions of both", last: no, twin: no, fails: true},
		{name: "a condition only where it was another before", last: no, twin: thing, speaks: true, fails: true},
		{name: "a condition of the seed, too", seed: no, last: no, twin: no, speaks: true},
		{name: "a condition that says something else of the seed", seed: other, last: no, twin: no, fails: true},
		{name: "conditions of what is not ready", last: unready, twin: unready, speaks: true},
		{name: "a rejection in both", last: rejected, twin: rejected, fails: true},
		{name: "a rejection in both, in other words", last: rejected, twin: strings.Replace(rejected, "st-1", "it", 1), fails: true},
		{name: "a rejection only where it was never another", last: thing, twin: rejected, speaks: true},
		{name: "a rejection only where it was another before", last: rejected, twin: thing, speaks: true, fails: true},
		{name: "a rejection of the seed, too", seed: rejected, last: rejected, twin: rejected, speaks: true},
		{name: "a phase in both", last: phase, twin: phase, fails: true},
		{name: "a condition that is no rejection", last: of(`{type: Scaled, status: "False", reason: Steady}`), twin: of(`{type: Scaled, status: "False", reason: Steady}`), speaks: true},
		{name: "what it prints of the value, in both", last: thing, twin: thing, prints: `level=error msg="secret st-1 not found"`, printsInTwin: "no secret st-1: error", fails: true},
		{name: "what its status says of the value, in both", last: missing, twin: missing, fails: true},
		{name: "what its status says of the value, and not of the twin's", last: missing, twin: thing, speaks: true, fails: true},
		{name: "what it prints of something else", last: thing, twin: thing, prints: "error: st-2", printsInTwin: "error: st-2", speaks: true},
		{name: "it prints a field that is called after a trouble", last: thing, twin: thing, prints: `applying {"name":"st-1","failureThreshold":3,"restartPolicy":"OnFailure","errors":0}`, printsInTwin: `applying {"name":"st-1","failureThreshold":3}`, speaks: true},
		{name: "it makes what was not there", last: thing, twin: thing, prints: `INFO configmap "web-st-1" not found, creating`, printsInTwin: `INFO configmap "web-st-1" not found, creating`, speaks: true},
		{name: "it cannot make it", last: thing, twin: thing, prints: `error creating configmap "web-st-1"`, printsInTwin: `error creating configmap "web-st-1"`, fails: true},
		{name: "it names the property of a number in both", last: thing, twin: thing, prints: "error: config must be odd", printsInTwin: "error: config must be odd", number: true, fails: true},
		{name: "it names the property of a number only where it was another before", last: thing, twin: thing, prints: "error: config must be odd", number: true, speaks: true, fails: true},
		{name: "it names the property of the seed, too", last: thing, twin: thing, seedPrints: "error: no config map", prints: "error: no config map", printsInTwin: "error: no config map", number: true, speaks: true},
		{name: "it prints the value", last: thing, twin: thing, prints: "level=info st-1", printsInTwin: "level=info st-1", speaks: true},
		{name: "it prints what is wrong with the value, and then much more", last: thing, twin: thing, prints: "error st-1" + strings.Repeat("\nok", 20), printsInTwin: "error st-1", fails: true},
		{name: "it is wrong at first, and then much more", last: thing, twin: thing, prints: "error st-1\nmade st-1" + strings.Repeat("\nok", 20), printsInTwin: "error st-1", speaks: true},
		{name: "a value that is none, in both", last: thing, twin: thing, prints: `2026/01/01 invalid config "st-1", keeping what is there`, printsInTwin: `invalid config "st-1"`, fails: true},
		{name: "a value that is none, by the status of both", last: phased("Failed", `unknown version "st-1"`), twin: phased("Failed", `unknown version "st-1"`), fails: true},
		{name: "a status that has given up in both", last: phased("Failed", "no"), twin: phased("Failed", "no"), fails: true},
		{name: "a status that has given up only where it was another before", last: phased("Failed", "no"), twin: thing, speaks: true, fails: true},
		{name: "a status that had given up before", seed: phased("Error", "no"), last: phased("Error", "no"), twin: phased("Error", "no"), speaks: true},
		{name: "a number that is none, by the status of both", last: phased("Running", "config must be odd"), twin: phased("Running", "config must be odd"), number: true, fails: true},
		{name: "it says the same of the seed's value", last: thing, twin: thing, seedPrints: "12:01 no such thing: old-value, retrying", prints: "12:02 no such thing: st-1, retrying", printsInTwin: "12:03 no such thing: st-1, retrying", speaks: true},
		{name: "it makes it", last: thing, twin: thing, prints: "secret st-1 not found, generating a certificate", printsInTwin: "secret st-1 not found, generating a certificate", speaks: true},
		{name: "it does without", last: thing, twin: thing, prints: "secret st-1 not found; using defaults", printsInTwin: "secret st-1 not found; using defaults", speaks: true},
		{name: "it waits for it", last: thing, twin: thing, prints: "secret st-1 not found, waiting", printsInTwin: "secret st-1 not found, waiting", fails: true},
		{name: "it adds what is missing", last: thing, twin: thing, prints: "adding missing label st-1", printsInTwin: "adding missing label st-1", speaks: true},
		{name: "nothing went wrong", last: thing, twin: thing, prints: "applied st-1 with no errors", printsInTwin: "applied st-1 with 0 errors", speaks: true},
		{name: "a name that begins like a trouble", last: thing, twin: thing, prints: `{"error-page": "st-1"}`, printsInTwin: `{"error-page": "st-1"}`, speaks: true},
		{name: "what was not there, and it has made since", last: thing + named, twin: thing + named, prints: "secrets \"st-1\" not found", printsInTwin: "secrets \"st-1\" not found", speaks: true},
		{name: "reconciles of both", last: thing, twin: thing, failing: []string{"thing"}, failingInTwin: []string{"thing"}, fails: true},
		{name: "reconciles only where it was another before", last: thing, twin: thing, failing: []string{"thing"}, speaks: true, fails: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			k := twins(t, property("spec.config"), cmp.Or(c.seed, thing), c.last+old, c.twin, "")
			k.Last().Rest.Failing, k.Twin.Rest.Failing = c.failing, c.failingInTwin
			k.Last().Operation.Changes = []operation.Change{{Path: []any{"spec", "config"}}}
			k.Steps[0].End[key] = merge(k.Steps[0].End[key], "config", "old-value")
			if !c.number {
				k.Last().Operation.Sentinels = []string{"st-1"}
			}
			k.Steps[0].Output, k.Last().Output, k.Twin.Output = c.seedPrints, c.prints, c.printsInTwin
			if got := len(said("twin", k)) > 0; got != c.speaks {
				t.Errorf("it speaks: %t, want %t", got, c.speaks)
			}
			if got := k.Fails(); got != c.fails {
				t.Errorf("it fails: %t, want %t", got, c.fails)
			}
		})
	}
}
