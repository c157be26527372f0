package choose

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// strange gives a new key that no code reads a parameter of its own, if it is one of a document whose decoder refuses such keys: what loads it says so then.
func (l *linker) strange(c *Change) {
	steps := c.Steps()
	root := l.root(c.In)
	if c.Change.Old != nil || c.Change.New == nil || root == "" || !slices.Contains(l.m.Strict, root) ||
		slices.ContainsFunc(steps, func(step string) bool { return strings.HasPrefix(step, "[") || strings.Contains(step, ".") }) {
		return
	}
	place := strings.Join(steps, ".")
	for _, class := range l.m.Parameters {
		for _, id := range class.Identities() {
			if of, field := l.m.Type(id); of == root && (strings.EqualFold(field, place) || below(place, field) || below(field, place)) {
				return
			}
		}
	}
	id := parameter.ID(string(root) + "." + place)
	c.Class, c.IDs, c.Type, c.Place, c.Strange = &parameter.Class{ID: id}, []parameter.ID{id}, root, place, true
	c.New = composed(l.after, c.In, steps)
}

// below tells whether a key is somewhere in another one.
func below(key, other string) bool {
	return len(key) > len(other) && key[len(other)] == '.' && strings.EqualFold(key[:len(other)], other)
}
