package experiment

import (
	"strings"
	"testing"

	"github.com/seatrial/seatrial/history"
)

// parsed is an object that is written as JSON.
func parsed(t testing.TB, text string) history.Object {
	t.Helper()
	var o history.Object
	if err := o.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestCondition evaluates expressions on two pods and a node, one of which is
// object.
func TestCondition(t *testing.T) {
	web := parsed(t, `{"metadata": {"name": "web-0", "labels": {"app": "web"}}, "spec": {"replicas": 3}, "status": {"phase": "Running", "ready": true, "share": 0.5}}`)
	state := history.State{
		{Resource: "pods", Namespace: "default", Name: "web-0"}: web,
		{Resource: "pods", Namespace: "default", Name: "db-0"}:  parsed(t, `{"metadata": {"name": "db-0"}}`),
		{Resource: "nodes", Name: "node-1"}:                     parsed(t, `{"metadata": {"name": "node-1"}}`),
	}
	const no = "no such key: "
	for expression, want := range map[string]string{
		// The object.
		"object.spec.replicas == 3":                 "true",
		"object.spec.replicas > 2.5":                "true",
		"object.status.share < 1":                   "true",
		"object.status.ready":                       "true",
		"object.status.phase":                       "the expression is string here, not true or false",
		"object.spec.replicas":                      "the expression is int here, not true or false",
		"object.status.missing == 1":                no + "missing",
		"object.spec.replicas.deeper == 1":          no + "deeper",
		"has(object.status.missing)":                "false",
		"object.?status.missing.orValue(0) == 0":    "true",
		"object.?status.?missing.hasValue()":        "false",
		"object.metadata.labels['app'] == 'web'":    "true",
		"object.metadata.name.startsWith('web')":    "true",
		"object.metadata.name.split('-')[1] == '0'": "true",
		"object.spec.replicas / 0 == 1":             "division by zero",
		// Lists by resource: what there is none of has an empty one.
		"objects['pods'].size() == 2":                                  "true",
		"objects.pods.size() == 2":                                     "true",
		"objects['secrets'].size() == 0":                               "true",
		"objects['webs.example.com'].all(w, w.status.ready)":           "true",
		"objects['webs.example.com'].exists(w, w.status.ready)":        "false",
		"objects['pods'].exists(p, has(p.status) && p.status.ready)":   "true",
		"objects['pods'].map(p, p.metadata.name) == ['db-0', 'web-0']": "true", // in order
		"objects['pods'].all(p, p.status.ready)":                       no + "status",
		"'pods' in objects && !('secrets' in objects)":                 "true",
		"objects['nodes'].filter(n, n.metadata.name == 'x') == []":     "true",
		"objects['pods'][7].metadata.name == 'x'":                      "index out of bounds: 7",
		"objects.size() == 2 && objects.all(r, objects[r].size() > 0)": "true",
		"objects['pods'] == objects['nothing']":                        "false",
		"objects[?'pods'].hasValue()":                                  "true",
		"object == null":                                               "false",
	} {
		c, err := Compile(expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		holds, err := c.Holds(web, state)
		got := "false"
		if err != nil {
			got = err.Error()
		} else if holds {
			got = "true"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
		if c.Text() != expression {
			t.Errorf("the text is %s", c.Text())
		}
	}
}

// TestConditionWithoutObject: an expression over all objects sees no object.
func TestConditionWithoutObject(t *testing.T) {
	for expression, want := range map[string]bool{"object == null": true, "objects.size() == 0": true} {
		c, err := Compile(expression)
		if err != nil {
			t.Fatal(err)
		}
		if holds, err := c.Holds(nil, nil); holds != want || err != nil {
			t.Errorf("%s: %t, %v", expression, holds, err)
		}
	}
	c, err := Compile("object.status.ready")
	if err != nil {
		t.Fatal(err)
	}
	if holds, err := c.Holds(nil, nil); holds || err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%t, %v", holds, err)
	}
}

// TestConditionIsBounded: neither a long text nor a long evaluation.
func TestConditionIsBounded(t *testing.T) {
	if _, err := Compile("true" + strings.Repeat(" ", lengthMax)); err == nil || err.Error() != "the expression has 10004 bytes, more than 10000" {
		t.Error(err)
	}
	ten := "[1,2,3,4,5,6,7,8,9,10]"
	c, err := Compile(strings.Repeat(ten+".all(x, ", 8) + "true" + strings.Repeat(")", 8))
	if err != nil {
		t.Fatal(err)
	}
	if holds, err := c.Holds(nil, nil); holds || err == nil || !strings.Contains(err.Error(), "cost") {
		t.Errorf("%t, %v", holds, err)
	}
	if _, err := Compile(strings.Repeat("(", 5000) + "true" + strings.Repeat(")", 5000)); err == nil {
		t.Error("5000 brackets")
	}
}
