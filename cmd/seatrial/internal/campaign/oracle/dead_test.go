package oracle_test

import (
	"strings"
	"testing"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// TestCarried: a value that the operator writes has arrived, though a mask takes what is there for drawn or counted.
func TestCarried(t *testing.T) {
	for _, c := range []struct {
		name          string
		value         string
		before, after string
		want          bool
	}{
		{"a time", "2030-01-02T03:04:05Z", "{kind: ConfigMap, metadata: {name: a}, data: {at: '2029-01-02T03:04:05Z'}}", "{kind: ConfigMap, metadata: {name: a}, data: {at: '2030-01-02T03:04:05Z'}}", true},
		{"another time", "2030-01-02T03:04:05Z", "{kind: ConfigMap, metadata: {name: a}, data: {at: '2029-01-02T03:04:05Z'}}", "{kind: ConfigMap, metadata: {name: a}, data: {at: '2031-01-02T03:04:05Z'}}", false},
		{"a port of nodes", "30017", "{kind: Service, metadata: {name: a}, spec: {ports: [{port: 80, nodePort: 31234}]}}", "{kind: Service, metadata: {name: a}, spec: {ports: [{port: 80, nodePort: 30017}]}}", true},
		{"a count of one digit", "3", "{kind: ConfigMap, metadata: {name: a}, data: {revision: '1'}}", "{kind: ConfigMap, metadata: {name: a}, data: {revision: '3'}}", true},
		{"another count", "3", "{kind: ConfigMap, metadata: {name: a}, data: {revision: '2'}}", "{kind: ConfigMap, metadata: {name: a}, data: {revision: '3'}}", false},
		{"a status", "30017", "{kind: Service, metadata: {name: a}, status: {observedGeneration: 1}}", "{kind: Service, metadata: {name: a}, status: {observedGeneration: 30017}}", false},
	} {
		k := done(t, set("spec.at", c.value), thing+c.before, thing+c.after)
		k.Last().Before = history.Object{"spec": map[string]any{"at": "1"}}
		k.Last().Events = []history.Event{write(t, c.before, c.after)}
		k.Last().Operation.Sentinels = nil
		tracer := oracle.NewTracer()
		tracer.Add(k, nil)
		if got := tracer.Effective("spec.at"); got != c.want {
			t.Errorf("%s: effective: %t, want %t", c.name, got, c.want)
		}
	}
}

// TestLater: of what says what becomes of things in the end, or when the operator looks again, nothing is seen before.
func TestLater(t *testing.T) {
	for property, dead := range map[string]bool{
		"spec.deletionPolicy": false, "spec.storage.deleteClaims": false, "spec.reclaimPolicy": false, "spec.keepOnDelete": false, "spec.interval": false, "spec.resyncPeriod": false,
		"spec.scrape.interval": true, "spec.retentionDays": true, "spec.image": true, "spec.gatekeeper": true, "spec.keepAlive": true, "spec.syncMode": false, "spec.modes": true,
		"spec.renewBefore": false, "spec.privateKey.rotationPolicy": false, "spec.expiresAfter": false, "spec.rotator": true, "spec.renewedBy": true,
	} {
		tracer := oracle.NewTracer()
		for _, value := range []string{"st-1", "st-2"} {
			tracer.Add(done(t, set(property, value), thing, thing), nil)
		}
		if got := len(tracer.Judge(nil)) > 0; got != dead {
			t.Errorf("%s is dead: %t, want %t", property, got, dead)
		}
	}
}

// TestForms: a switch of the form in which others are written shows nothing where they have that form.
func TestForms(t *testing.T) {
	for name, dead := range map[string]bool{"trimSpace": false, "sorted": false, "lowercase": false, "trimmer": false, "enabled": true, "resort": true} {
		property := "spec." + name
		tracer := oracle.NewTracer(&schema.Property{Path: property, Schema: &structural.Structural{Generic: structural.Generic{Type: "boolean"}}})
		for _, value := range []string{"true", "false"} {
			o := set(property, value)
			o.Sentinels = nil
			o.Changes[0].Value = value == "true"
			tracer.Add(done(t, o, thing, thing), nil)
		}
		if got := len(tracer.Judge(nil)) > 0; got != dead {
			t.Errorf("%s is dead: %t, want %t", property, got, dead)
		}
	}
}

// TestStays: what the resource says is to stay when it is deleted is no finding.
func TestStays(t *testing.T) {
	for spec, found := range map[string]bool{
		"{size: 1}": true, "{deletionPolicy: Delete}": true, "{deletionPolicy: Retain}": false, "{storage: {whenDeleted: Retain}}": true, "{persistentVolumeClaimRetentionPolicy: {whenDeleted: Retain}}": true, "{backup: {retentionPolicy: keep-7}}": true, "{whenDeleted: Retain}": false, "{keepOnDelete: true}": false,
		"{keepOnDelete: false}": true, "{restartPolicy: Never}": true, "{deleteClaims: false}": true, "{keepAlive: true}": true,
	} {
		const made = "{kind: ConfigMap, metadata: {name: a-config, uid: u1}}"
		k := caseOf(t, property("spec.size"), "", strings.Replace(thing, "{size: 1}", spec, 1)+made)
		k.Last().Events = []history.Event{write(t, "", made)}
		k.Deleted = quiet(t, nil, strings.Replace(thing, "{size: 1}", spec, 1)+made, made)
		if got := len(said("ownership", k)) > 0; got != found {
			t.Errorf("%s: it is found: %t, want %t", spec, got, found)
		}
	}
}

// TestWholeNumber: a number of its own is where it stands by itself, and not in a longer one.
func TestWholeNumber(t *testing.T) {
	for text, want := range map[string]bool{"4983": true, "--port=4983": true, "4983ms": true, "14983": false, "49831": false, "49830 and 4983": true, "x": false} {
		made := "{kind: ConfigMap, metadata: {name: a}, data: {args: '" + text + "'}}"
		k := done(t, set("spec.port", "4983"), thing+made, thing+made)
		k.Last().Operation.Sentinels = []string{"4983"}
		tracer := oracle.NewTracer()
		tracer.Add(k, nil)
		if got := tracer.Effective("spec.port"); got != want {
			t.Errorf("%q: effective: %t, want %t", text, got, want)
		}
	}
}

// TestRetained: a claim that the resource says is to stay is no finding where it does; another object is, and so is a
// claim without that word.
func TestRetained(t *testing.T) {
	const claim, service = "{kind: PersistentVolumeClaim, metadata: {name: a-data}}\n", "{kind: Service, metadata: {name: a-data}}\n"
	for _, c := range []struct {
		name, spec, before, end string
		found                   bool
	}{
		{"nothing is said", "{size: 1}", "{size: 1}", claim, true},
		{"it is to stay", "{size: 1, storage: {enabled: false, reclaimPolicy: Retain}}", "{size: 1, storage: {enabled: true, reclaimPolicy: Retain}}", claim, false},
		{"it was to stay", "{size: 1}", "{size: 1, storage: {reclaimPolicy: Retain}}", claim, false},
		{"it is to go", "{size: 1, storage: {reclaimPolicy: Delete}}", "{size: 1, storage: {reclaimPolicy: Delete}}", claim, true},
		{"it is no claim", "{size: 1, storage: {reclaimPolicy: Retain}}", "{size: 1, storage: {reclaimPolicy: Retain}}", service, true},
	} {
		of := func(spec string) string { return strings.Replace(thing, "{size: 1}", spec, 1) }
		k := twins(t, property("spec.size"), of(c.before)+c.end, of(c.spec)+c.end, of(c.spec), "")
		if got := len(said("twin", k)) > 0; got != c.found {
			t.Errorf("%s: it is found: %t, want %t", c.name, got, c.found)
		}
	}
}

// TestLeftToAutoscaler: where an autoscaler decides how many pods there are, what a resource says of that need have no
// part; what bounds the autoscaler has, and so has what is no number of pods.
func TestLeftToAutoscaler(t *testing.T) {
	const scaler = "{kind: HorizontalPodAutoscaler, metadata: {name: a}, spec: {minReplicas: 2, maxReplicas: 5}}\n"
	for _, c := range []struct {
		property, made string
		dead           bool
	}{
		{"spec.replicas", scaler, false},
		{"spec.web.size", scaler, false},
		{"spec.replicas", "", true},
		{"spec.minReplicas", scaler, true},
		{"spec.port", scaler, true},
	} {
		tracer := oracle.NewTracer()
		for _, n := range []int64{3, 4} {
			o := set(c.property, "")
			o.Changes[0].Value, o.Sentinels = n, nil
			tracer.Add(done(t, o, thing+c.made, thing+c.made), nil)
		}
		if got := len(tracer.Judge(nil)) > 0; got != c.dead {
			t.Errorf("%s beside %q is dead: %t, want %t", c.property, c.made, got, c.dead)
		}
	}
}
