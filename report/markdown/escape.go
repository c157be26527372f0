package markdown

import (
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// markup are the characters by which text could be anything else than text. With
// an entity in their place mentions, issues and links are none any more.
var markup = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;", "#", "&#35;", "://", "&#58;//", "www.", "www&#46;",
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", `\$`,
)

// text is user text that reads as it is.
func text(s string) string {
	s = markup.Replace(strings.TrimSpace(trace.Printable(s, false)))
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch rest := s[digits:]; {
	case rest == "":
	case digits == 0 && strings.ContainsAny(rest[:1], "-+="), digits > 0 && strings.ContainsAny(rest[:1], ".)"):
		return s[:digits] + `\` + rest // would begin a list or end a heading
	}
	return s
}

// code is user text in a code span, in which nothing means anything but the
// backticks that end it.
func code(s string) string {
	s = trace.Printable(s, false)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longest(s)+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.Trim(s, " ") == "" {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// cell is for a table, whose rows are cut at bars before anything else.
func cell(s string) string {
	s = strings.ReplaceAll(s, `\|`, "|")
	return strings.ReplaceAll(s, "|", `\|`)
}

// longest is the length of the longest run of backticks in s.
func longest(s string) int {
	most, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	return most
}
