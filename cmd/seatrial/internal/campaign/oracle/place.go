package oracle

import (
	"regexp"
	"strings"
)

// position is an item of a list that has no key.
var position = regexp.MustCompile(`\[\d+\]`)

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
