package value

import (
	"slices"
	"strings"
)

// truths are words for yes and no.
var truths = []string{"true", "false", "yes", "no", "on", "off", "enabled", "disabled"}

func init() {
	// There is one other value: a test that fails with it may be about just that.
	register(0, func(text string) ([]string, bool) { return nil, slices.Contains(truths, strings.ToLower(text)) })
}
