package schema

import "regexp"

// choices are what texts are called that are one of few words.
var choices = regexp.MustCompile(`(?i)(mode|type|kind|format|level|provider|engine|driver|tier|profile|strategy|policy|backend|flavou?r)$`)

// Choice tells whether a text of this name, or at this path, is by what it is called one of few words, though no schema
// lists them: one that is made up means nothing there.
func Choice(name string) bool { return choices.MatchString(name) }
