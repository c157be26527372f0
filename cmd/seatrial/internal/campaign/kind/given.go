package kind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// Named says that there is no kind of a name, and which may be meant; nil if there is one, or the name is None.
func Named(name string) error {
	m := kubernetes()
	owner, field := cutLast(name)
	if t := m.types[owner]; name == None || m.types[name] != nil || t != nil && t.field(field) != nil {
		return nil
	}
	all := []string{quantity, duration}
	for _, t := range m.order {
		all = append(all, t.name)
	}
	for _, c := range conventions {
		all = append(all, c.kind)
	}
	if slices.Contains(all, name) {
		return nil
	}
	near := spelling.Nearest(name, all)
	for _, known := range all {
		if _, last := cutLast(known); near == "" && last == name {
			near = known
		}
	}
	if near == "" {
		return fmt.Errorf("there is no type %s: write it as io.k8s.api.core.v1.PodTemplateSpec, or none", name)
	}
	return fmt.Errorf("there is no type %s (is it %s?)", name, near)
}

// cutLast is a name before its last dot, and behind that; all of it is behind where there is none.
func cutLast(name string) (before, last string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}
