package value

import (
	"strings"
	"testing"
)

// TestDescribed: the values that a description lists, in the ways in which people write them.
func TestDescribed(t *testing.T) {
	for text, want := range map[string]string{
		"Mode is one of standalone, cluster or sentinel.":                         "standalone cluster sentinel",
		"The log format. Valid values are: \"json\", \"text\".":                   "json text",
		"Supported values: `Delete` and `Retain`. Defaults to Delete.":            "Delete Retain",
		"level (debug|info|warn)":                                                 "debug info warn",
		"It can be 'hot' or 'cold'":                                               "hot cold",
		"Either TCP or UDP":                                                       "TCP UDP",
		"It must be set":                                                          "",
		"The name of the Secret, which can be in another namespace or a cluster.": "",
		"One of the members is the leader":                                        "",
		"":                                                                        "",
	} {
		if got := strings.Join(described(text), " "); got != want {
			t.Errorf("%q lists %q, want %q", text, got, want)
		}
	}
}
