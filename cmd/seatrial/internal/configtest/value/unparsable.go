package value

import (
	"regexp"
	"strings"
	"text/template/parse"
)

// Unparsable is what Go's libraries say is wrong with a text that is no expression, or no template, any more, as
// another one is; empty if it is still one, or the other one is none.
func Unparsable(old, now string) string {
	old, now = Bare(old), Bare(now)
	if strings.Contains(old, "{{") && parsed(old) == nil {
		err := parsed(now)
		if err == nil {
			return ""
		}
		_, why, _ := strings.Cut(err.Error(), ":1: ") // behind its name and the line
		return why
	}
	if regexp.QuoteMeta(old) == old { // nothing shows that it is one
		return ""
	}
	if _, err := regexp.Compile(old); err != nil {
		return ""
	}
	if _, err := regexp.Compile(now); err != nil {
		return err.Error()
	}
	return ""
}

// parsed parses a template, whichever functions it calls.
func parsed(text string) error {
	tree := parse.New("")
	tree.Mode = parse.SkipFuncCheck
	_, err := tree.Parse(text, "", "", map[string]*parse.Tree{})
	return err
}
