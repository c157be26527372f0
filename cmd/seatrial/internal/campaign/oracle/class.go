package oracle

import (
	"regexp"
	"slices"
	"strings"
)

// position is an item of a list that has no key.
var position = regexp.MustCompile(`\[\d+\]`)

// class is what is equal for deviations of the same cause: oracle, kind, where in it, and
// property; without what is drawn, and without sentinels. A judge may have given what
// stands for the place.
func (c *Case) class(d *Deviation) string {
	place := d.Class
	if place == "" {
		place = c.general(d.Path)
	}
	property := d.Property
	if o := c.Last().Operation; property == "" && o != nil && c.behind() == Steps {
		property = o.Property
	}
	parts := []string{d.Oracle, d.Object.Resource, place, property}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")
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
