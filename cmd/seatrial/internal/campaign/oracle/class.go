package oracle

import (
	"regexp"
	"slices"
	"strings"
)

// position is an item of a list that has no key.
var position = regexp.MustCompile(`\[\d+\]`)

// classify gives a deviation its place, where its judge has not given what stands for that, and its class.
func (c *Case) classify(d *Deviation) {
	if d.Place = d.Class; d.Place == "" {
		d.Place = c.general(d.Path)
	}
	property := d.Property
	if o := c.Last().Operation; property == "" && o != nil && c.behind() == Steps {
		property = o.Property
	}
	parts := []string{d.Oracle, d.Object.Resource, d.Place, property}
	d.Class = strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
}

// general is a path or a text without positions, sentinels and the name of the
// custom resource.
func (c *Case) general(text string) string {
	for _, s := range c.sentinels() {
		text = strings.ReplaceAll(text, s, "*")
	}
	text = position.ReplaceAllString(text, "[]")
	if c.Key.Name != "" {
		text = strings.ReplaceAll(text, "["+c.Key.Name+"]", "[*]")
		text = strings.ReplaceAll(text, "["+c.Key.Name+"-", "[*-")
	}
	return text
}
