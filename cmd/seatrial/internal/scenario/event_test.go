package scenario

import (
	"reflect"
	"strings"
	"testing"
)

func TestEveryTypeOfEventHasItsFields(t *testing.T) {
	fields := map[string]bool{}
	for i := range reflect.TypeFor[Event]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[Event]().Field(i).Tag.Get("json"), ",")
		fields[name] = true
	}
	taken := map[string]bool{"name": true, "type": true, "budget": true, "after": true}
	for _, event := range EventTypes() {
		if event.Fields() == nil {
			t.Errorf("%s is not in the table", event)
		}
		for field := range event.Fields() {
			if taken[field] = true; !fields[field] {
				t.Errorf("%s: an Event has no field %s", event, field)
			}
		}
	}
	for field := range fields {
		if !taken[field] {
			t.Errorf("no event takes the field %s", field)
		}
	}
	if len(EventTypes()) != len(eventFields) {
		t.Errorf("%d types are listed, %d in the table", len(EventTypes()), len(eventFields))
	}
	if EventType("node-lost").Fields() != nil {
		t.Error("an unknown type has fields")
	}
}

func TestDefaults(t *testing.T) {
	s := &Spec{NodePools: []NodePool{{Name: "a", Min: 2}, {Name: "b", Min: 1, Max: 3}}}
	s.Default()
	if s.NodePools[0].Max != 2 || s.NodePools[1].Max != 3 {
		t.Errorf("%+v", s.NodePools)
	}
	if got := (Workload{Name: "web"}).String(); got != "Deployment default/web" {
		t.Error(got)
	}
	if got := (Workload{Kind: "Pod", Namespace: "shop", Name: "web"}).String(); got != "Pod shop/web" {
		t.Error(got)
	}
}
