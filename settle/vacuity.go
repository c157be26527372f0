package settle

import (
	"fmt"
	"reflect"
)

// vacuous says what of the configuration had no part in a search that found nothing wrong:
// of that, nothing was shown.
func (x *explorer) vacuous() (all []string) {
	asked := false
	for i, d := range x.desired {
		if _, ok := x.happened.Load(wish(i)); ok {
			asked = true
		} else if !x.given(d) {
			all = append(all, fmt.Sprintf("users never ask for %s (%d): is MaxObjects %d too few?", short(d.key), i+1, x.maxObjects))
		}
	}
	faults := reflect.ValueOf(x.config.Faults)
	for i := range faults.NumField() {
		name := faults.Type().Field(i).Name
		if on := faults.Field(i); on.Kind() != reflect.Bool || !on.Bool() {
			continue
		}
		if _, ok := x.happened.Load(name); !ok {
			all = append(all, fmt.Sprintf("Faults.%s is in scope, and there was never an occasion for it", name))
		}
	}
	if asked && !x.everWrong() {
		all = append(all, "nothing was ever missing: it would hold of a controller that does nothing")
	}
	return all
}

// given tells whether a thing is among what is there from the beginning.
func (x *explorer) given(d desired) bool {
	for _, o := range x.config.Objects {
		if reflect.TypeOf(o) == reflect.TypeOf(d.object) && o.GetNamespace() == d.object.GetNamespace() && o.GetName() == d.object.GetName() {
			return true
		}
	}
	return false
}

// everWrong tells whether any state did not match.
func (x *explorer) everWrong() (found bool) {
	x.judged.Range(func(asked, err any) bool {
		found = asked.(judged).property == Settles && err != nil
		return !found
	})
	return found
}
