package oracle

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
)

// defaulted finds reconciles that go on failing where the last operation only took out of the seed what the schema has
// a default for, which they do where the resource was never another, too: an operator may refuse a value that a user
// gives, but that is none. Where it speaks of what stands beside the property, that may not go with the default.
func (c *Case) defaulted() []Deviation {
	last := c.Last()
	o := last.Operation
	if o == nil || !o.Default || c.Twin == nil || len(o.Changes) != 1 {
		return nil
	}
	alone, err := o.Apply(c.Steps[0].Resource)
	if err != nil || !reflect.DeepEqual(alone, last.Resource) || c.besides(last) {
		return nil
	}
	seed, twin := c.failing(c.Steps[0]), c.failing(c.Twin)
	var out []Deviation
	for _, p := range c.failures(last) {
		is := func(e problem) bool { return e.class == p.class }
		if !slices.ContainsFunc(seed, is) && slices.ContainsFunc(twin, is) {
			out = append(out, Deviation{Object: p.key, Place: p.class, Text: fmt.Sprintf("%s, with what the schema has by default for %s", p.text, o.Property)})
		}
	}
	return out
}

// besides tells whether a line of trouble behind a step speaks of a field beside the one that the last operation
// changes.
func (c *Case) besides(s *Step) bool {
	path := c.Last().Operation.Changes[0].Path
	outer := c.Last().Operation.Changes[0]
	outer.Path = path[:len(path)-1]
	around, _ := outer.At(c.Steps[0].End[c.Key])
	fields, _ := around.(map[string]any)
	for _, line := range lastOf(lines(s.Output)) {
		for _, name := range sortedKeys(fields) {
			if name != path[len(path)-1] && troubled(line) && regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(name)+`\b`).MatchString(line) {
				return true
			}
		}
	}
	return false
}
