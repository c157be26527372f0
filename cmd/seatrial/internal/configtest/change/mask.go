package change

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// What is shorter is found in any text, and so is a part of a secret that is not longer.
const short = 4

// Mask takes secrets out of what a program says.
type Mask struct {
	long  *strings.Replacer
	short []string
}

// Credible are the secrets of some settings that nobody takes for anything else.
func Credible(settings []Setting) (out []Value) {
	for _, s := range settings {
		if s.Value.Credible() {
			out = append(out, s.Value)
		}
	}
	return out
}

// Credible tells whether a value is a secret that nobody takes for anything else.
func (v Value) Credible() bool { return v.Secret && credible(v.text) }

// NewMask is one of some secrets.
func NewMask(secrets []Value) *Mask {
	m := &Mask{}
	all := map[string]bool{}
	for _, v := range secrets {
		for _, text := range v.parts() {
			if len(text) < short && text == strings.TrimSpace(v.text) {
				m.short = append(m.short, text)
			}
			for _, form := range forms(text) {
				all[form] = all[form] || len(form) >= short
			}
		}
	}
	var longest []string
	for form, is := range all {
		if is {
			longest = append(longest, form)
		}
	}
	slices.SortFunc(longest, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	var pairs []string
	for _, form := range longest { // of two at one place the first counts
		pairs = append(pairs, form, hole)
	}
	m.long = strings.NewReplacer(pairs...)
	return m
}

// hole is where a secret was, until all are out: that is in no text.
const hole = "\x00"

// Of is a text without the secrets.
func (m *Mask) Of(text string) string {
	text = m.long.Replace(text)
	if slices.ContainsFunc(m.short, func(s string) bool { return s != "" && strings.Contains(text, s) }) {
		return "what it says may have a secret in it"
	}
	return strings.ReplaceAll(text, hole, masked)
}

// parts are a secret, and what of it may be said by itself: the items of a list, the lines of a text, what is in a map,
// and the password of an address.
func (v Value) parts() []string {
	texts := append([]string{v.text}, v.All()...)
	var items []any
	if v.Type == List && json.Unmarshal([]byte(v.meant()), &items) == nil {
		for _, it := range items {
			if text, is := it.(string); is {
				texts = append(texts, text)
			}
		}
	}
	var out []string
	for _, text := range texts {
		out = append(out, text, strings.TrimSpace(text))
		some := passwords(text)
		for line := range strings.Lines(text) {
			some = append(some, strings.TrimSpace(line))
			if fields := strings.Fields(line); len(fields) == 2 && isWord(fields[0]) { // as Bearer and Basic
				some = append(some, fields[1])
			}
		}
		if strings.Contains(text, "=") {
			for _, part := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("=,; \n\x00&?#\"", r) }) {
				if len(part) > short {
					some = append(some, part)
				}
			}
		}
		for _, pair := range colon.FindAllStringSubmatch(text, -1) {
			if likely(pair[1], pair[2]) {
				some = append(some, pair[2])
			}
		}
		for _, s := range some {
			if len(s) >= short {
				out = append(out, s)
			}
		}
	}
	return out
}

// forms are the ways in which programs say a text.
func forms(text string) []string {
	inner := func(quoted string) string { return strings.TrimSuffix(strings.TrimPrefix(quoted, `"`), `"`) }
	out := []string{text, inner(strconv.Quote(text)), inner(strconv.QuoteToASCII(text)), inner(quoted(text)), url.QueryEscape(text), url.PathEscape(text)}
	if unescaped, err := url.PathUnescape(text); err == nil {
		out = append(out, unescaped)
	}
	return append(out, base64.StdEncoding.EncodeToString([]byte(text)))
}
