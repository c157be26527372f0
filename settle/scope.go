package settle

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// bound is what a verdict is about, in a line: what is asked for, and which faults there are.
func (x *explorer) bound() string {
	states := map[string]int{}
	var order []string
	for _, d := range x.desired {
		if states[d.key]++; states[d.key] == 1 {
			order = append(order, d.key)
		}
	}
	for i, key := range order {
		order[i] = short(key)
		if n := states[key]; n > 1 {
			order[i] = fmt.Sprintf("%s in %d states", order[i], n)
		}
	}
	faults := strings.Join(x.config.Faults.names(), ", ")
	if faults == "" {
		faults = "none"
	}
	users := fmt.Sprintf("users ask while there are fewer than %d objects", x.maxObjects)
	if most := x.config.Faults.Budget.Users; most > 0 {
		users = fmt.Sprintf("users ask %d times at most, while there are fewer than %d objects", most, x.maxObjects)
	}
	return fmt.Sprintf("%s; faults: %s; %s%s", strings.Join(order, ", "), faults, users, x.beside())
}

// beside says who acts beside the controllers, if that was chosen.
func (x *explorer) beside() string {
	if len(x.config.Environment) == 0 {
		return ""
	}
	var names []string
	for _, a := range x.actors {
		names = append(names, a.Name())
	}
	out := "; beside them: " + strings.Join(names, ", ")
	if most := x.config.Faults.Budget.Environment; most > 0 {
		out += fmt.Sprintf(", which fail %d times at most", most)
	}
	return out
}

// names are those of the faults in scope.
func (f Faults) names() (names []string) {
	v := reflect.ValueOf(f)
	for i := range v.NumField() {
		if field := v.Field(i); field.Kind() == reflect.Bool && field.Bool() {
			name := v.Type().Field(i).Name
			text := strings.ToLower(name)
			if most := f.Budget.of(name); most > 0 {
				text += fmt.Sprintf(" (%d at most)", most)
			}
			names = append(names, text)
		}
	}
	return names
}

// assumptions are what a verdict rests on, a sentence each.
func (x *explorer) assumptions() []string {
	out := []string{
		"what can go on goes on some time: requests are answered, what is queued is reconciled, what is to come back later comes back",
	}
	if r := x.config.ends; r != nil {
		out = append([]string{fmt.Sprintf("there is no Match: whatever it comes to without faults is right (%d different ends)", len(r.all))}, out...)
	}
	for _, p := range x.processes {
		in := ""
		if len(x.processes) > 1 {
			in = " in " + p.Name
		}
		if p.Resync {
			out = append(out, "all that is watched is handed to its handlers again some time, and again"+in+": resync is assumed")
		} else {
			out = append(out, "nobody reconciles without a reason: there is no resync"+in)
		}
		if p.ReadYourWrites {
			out = append(out, "reads wait for what the process has written itself"+in)
		}
	}
	switch f := x.config.Faults; {
	case f.Older:
		out = append(out, "a process may begin with what an API server lists that is behind: there are several, and client-go before 1.35, or a second process waits to lead")
		fallthrough
	case f.Stale:
		if !f.Stale {
			out = append(out, "caches are behind when a process begins, and not later")
		}
	default:
		out = append(out, "caches are never behind")
	}
	if x.config.draws {
		out = append(out, "what a reconcile draws (k8s.io/apimachinery/pkg/util/rand, UUIDs) is never what another has drawn of which anything is left")
	}
	if x.config.keepsNames && x.server.Drawn() {
		out = append(out, "generated names are not renamed, since something may follow from their letters: each is the first that is free")
	}
	if len(x.large) > 0 {
		out = append(out, fmt.Sprintf("%s remembers nothing beyond %d fields and elements", strings.Join(x.large, ", "), reachMax))
	}
	if x.timed.Load() {
		out = append(out, "reconciles write what time it is: that is always the same, "+clock.Format(time.RFC3339))
	}
	if len(x.config.Faults.names()) > 0 {
		often := "as often as they like"
		if x.config.Faults.Budget != (Budget{}) {
			often += " or as is said"
		}
		out = append(out, "faults happen at any moment and "+often+", and end some time")
	}
	return out
}
