package oracle

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/seatrial/seatrial/history"
)

// Plain is a change of what a Secret holds as people write it: at stringData, and with its text in the place of its
// encoding. Any other change stays as it is, and so does one of bytes that are no text.
func Plain(resource string, ch history.Change) history.Change {
	rest, is := strings.CutPrefix(ch.Path, "data")
	if resource != secrets || !is {
		return ch
	}
	from, one := decoded(ch.From)
	to, other := decoded(ch.To)
	if !one || !other {
		return ch
	}
	return history.Change{Path: "stringData" + rest, From: from, To: to}
}

// decoded is what a Secret's data are the encoding of: one value, or all of them. What is not there is nothing.
func decoded(v any) (any, bool) {
	switch v := v.(type) {
	case nil:
		return nil, true
	case string:
		text, err := base64.StdEncoding.DecodeString(v)
		return string(text), err == nil && utf8.Valid(text)
	case map[string]any:
		all := map[string]any{}
		for key, inner := range v {
			text, is := decoded(inner)
			if !is {
				return nil, false
			}
			all[key] = text
		}
		return all, true
	}
	return nil, false
}
