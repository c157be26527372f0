package html

import (
	"strings"
	"testing"
)

// TestRows: lines with signs, and what stands beside what.
func TestRows(t *testing.T) {
	for lines, want := range map[string]string{
		" a:|-  b: 1|+  b: 2":     "a:=a:|  b: 1/  b: 2",
		"-a|-b|+c":                "a/c|b/",
		"-a|+b|+c|-d|+e":          "a/b|/c|d/e",
		"+a|-b":                   "/a|b/",
		"-a| k|+b":                "a/|k=k|/b",
		"-a|-b|+c|-d|+e":          "a/c|b/|d/e",
		"-a|+b|-c|+d":             "a/b|c/d",
		"":                        "=",
		"-\x1b[31m\t<b>|+\u202ex": `\x1b[31m    <b>/\u202ex`,
	} {
		var got []string
		for _, r := range rows(strings.Split(lines, "|")) {
			text := func(s *string) string {
				if s == nil {
					return ""
				}
				return *s
			}
			between := "/"
			if r.Alike {
				between = "="
			}
			got = append(got, text(r.Before)+between+text(r.After))
		}
		if got := strings.Join(got, "|"); got != want {
			t.Errorf("%q: %q, want %q", lines, got, want)
		}
	}
}
