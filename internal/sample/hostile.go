package sample

import (
	"encoding/json"
	"reflect"

	"github.com/seatrial/seatrial/finding"
	"github.com/seatrial/seatrial/trace"
)

// Attacks are texts that would do harm where a page took them for more than text:
// each sets window.injected if it is run.
var Attacks = []string{
	`<script>window.injected=1</script>`,
	`</script><script>window.injected=1</script>`,
	`<!--<script>`,
	`<img src=x onerror="window.injected=1">`,
	`"><svg onload=window.injected=1>`,
	`' onmouseover='window.injected=1' x='`,
	"`${window.injected=1}`",
	`javascript:window.injected=1`,
	`{{constructor.constructor('window.injected=1')()}}`,
	`</style><style>*{display:none}</style>`,
	`</title><base href="http://127.0.0.1:1/">`,
	`__proto__`,
	"line\u2028separator \u202eright to left\x00\x1b[31m",
	`&lt;b&gt;&amp;`,
	`<link rel=stylesheet href=http://127.0.0.1:1/x.css>`,
	`<meta http-equiv=refresh content="0;url=http://127.0.0.1:1/">`,
}

// Hostile is a report of which every text that can come from a user has this in it:
// names, labels, taints, messages, file names, lines of files, notes.
func Hostile(attack string) *finding.Report {
	r := Large(3, 12)
	first := &r.Results[0]
	first.Causes = []finding.Cause{
		{Location: finding.Location{File: "a.yaml", Line: 2, Column: 3, Object: "Deployment", Field: "spec"}, Message: "is the cause"},
		{Location: finding.Location{File: "b.yaml", Origin: "c.yaml", Line: 9, Object: "Deployment"}, Message: "no lines of it"},
	}
	first.Witnesses = []finding.Witness{{Name: "a witness"}}
	first.Suggestions = []finding.Suggestion{{
		Remedy: "replicas", Title: "raise replicas", Cost: "one pod more", Bound: "1 node", Folder: "deploy", Patch: "--- a/a.yaml\n+++ b/a.yaml\n@@ -1,1 +1,1 @@\n-a: 1\n+a: 2\n",
		Changes: []finding.Change{{File: "a.yaml", Line: 1, Old: []string{"a: 1"}, New: []string{"a: 2"}}}, Mends: []string{"another"},
	}}
	first.Unmended = "nothing helps"
	first.Applied = []finding.Difference{{Title: "a step", Note: "refused", Before: "before", After: "after", Fields: []string{"spec.a"}, Lines: []string{" spec:", "-  a: 1", "+  a: 2"}}}
	first.Compared = []finding.Difference{{Title: "an object", Before: "expected", After: "found", Fields: []string{"data.a"}, Lines: []string{" data:", "-  a: 1"}}}
	r.Coverage = []finding.Covered{
		{Property: "spec.a", Type: "map", Kind: "Pod", Cases: []finding.CoveredCase{{Name: "a case", Fate: finding.RefusedByServer, Reason: "a reason"}, {Name: "another", Fate: finding.Ineffective}}},
		{Property: "spec.b", Opaque: true, Why: "opaque"},
	}
	first.Consequences = []string{"a consequence"}
	first.Vacuous, first.Reason = "vacuous", "a reason"
	r.Sources = []finding.Source{{File: "a.yaml", Line: 1, Text: []string{"kind: Deployment", "metadata:", "  name: web"}}}
	r.Assumptions = []string{"an assumption"}
	r.Omissions = []finding.Omission{{Name: "an omission", Location: finding.Location{File: "a.yaml", Line: 1}, Reason: "because"}, {Name: "another", Reason: "it matters", Blocking: true}}
	r.Warnings = []finding.Warning{{Location: finding.Location{File: "a.yaml", Line: 1, Object: "an object", Field: "a field"}, Message: "a warning"}}
	r.Bound.Reductions, r.Bound.Inconclusive, r.Bound.Reason = []string{"a reduction"}, []string{"a size"}, "why not"
	r.Bound.Properties, r.Bound.Events = []string{"one"}, []string{"two"}
	r.Results = append(r.Results, finding.Result{Name: "other", Subject: "another", Verdict: finding.Inconclusive, Reason: "a reason", Witnesses: first.Witnesses, Causes: first.Causes})
	t := first.Trace
	to := int32(3)
	t.Steps[0].Acts = append(t.Steps[0].Acts,
		trace.Act{Verb: "taint", By: "x", Role: trace.RoleController, Object: "Node pool-1-node-001", Taint: "taint"},
		trace.Act{Verb: "doom", By: "x", Role: trace.RoleEnvironment, Object: "Deployment shop/service-01", Node: "a node"},
		trace.Act{Verb: trace.VerbCreate, By: "x", Role: trace.RoleEnvironment, Object: "ConfigMap a/b", To: &to, Manifest: raw(map[string]any{"data": []any{"x", map[string]any{"key": "value"}}})},
		trace.Act{Verb: "patch", By: "x", Role: trace.RoleEnvironment, Object: "ConfigMap a/b", Patch: raw(map[string]any{"spec": map[string]any{"key": "value"}})})
	hostile(reflect.ValueOf(r).Elem(), attack)
	return r
}

// hostile adds an attack to every text but verdicts, verbs and roles, which are words
// of our own. What is equal stays equal, so that pods stay on their nodes.
func hostile(v reflect.Value, attack string) {
	switch value := v.Interface().(type) {
	case finding.Verdict, finding.Fate, trace.Role:
		return
	case json.RawMessage:
		var o any
		if json.Unmarshal(value, &o) == nil {
			v.Set(reflect.ValueOf(raw(hostileJSON(o, attack))))
		}
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			hostile(v.Elem(), attack)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "Verb" {
				hostile(v.Field(i), attack)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			hostile(v.Index(i), attack)
		}
	case reflect.String:
		if v.String() != "" {
			v.SetString(v.String() + attack)
		}
	}
}

// hostileJSON adds an attack to every text of a Kubernetes object, and a label that is
// one, but leaves what its name is put together from.
func hostileJSON(v any, attack string) any {
	switch v := v.(type) {
	case string:
		return v + attack
	case []any:
		for i := range v {
			v[i] = hostileJSON(v[i], attack)
		}
	case map[string]any:
		for name, value := range v {
			if name != "kind" && name != "namespace" {
				v[name] = hostileJSON(value, attack)
			}
		}
		if v["kind"] == nil && v["name"] == nil {
			v[attack] = attack
		}
	}
	return v
}
