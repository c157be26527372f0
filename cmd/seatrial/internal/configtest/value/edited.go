package value

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
)

// Edited are other texts in the place of one that another one is an edit of: both are the same but for one part, and
// these have something else there. A test that passes with one of them does not assert what stands there. Of a list of
// texts with one that is another one, that is new or that is gone, it is that which is edited. None for what is no
// edit: another word, a number, a time, a truth.
func Edited(old, now string) []string {
	var all, other []json.RawMessage
	if json.Unmarshal([]byte(old), &all) == nil && json.Unmarshal([]byte(now), &other) == nil {
		return editedLists(all, other)
	}
	was, is := Bare(old), Bare(now)
	texts := edits(was, is)
	if a, one := clockOf(was); one {
		if b, other := clockOf(is); other && a.digits != b.digits && a.hour != b.hour {
			b.digits = a.digits // the time is another one, and how it is written, too: it is to be told which of both it is
			texts = []string{b.at(b.hour, b.rest)}
		}
	}
	if zones := noZone(was, is); len(zones) > 0 {
		texts = zones[:1]
	}
	var out []string
	for _, text := range texts {
		out = append(out, inQuotes(old, text))
	}
	return out
}

// editedLists are the lists with another item in the place of the one that differs.
func editedLists(old, now []json.RawMessage) (out []string) {
	at := 0
	for at < min(len(old), len(now)) && string(old[at]) == string(now[at]) {
		at++
	}
	with := func(of []json.RawMessage, texts []string) {
		for _, text := range texts {
			list := slices.Clone(of)
			quoted, err := json.Marshal(text)
			if list[at] = quoted; err != nil {
				continue
			}
			if whole, err := json.Marshal(list); err == nil {
				out = append(out, string(whole))
			}
		}
	}
	equal := func(a, b []json.RawMessage) bool {
		return slices.EqualFunc(a, b, func(x, y json.RawMessage) bool { return string(x) == string(y) })
	}
	var was, is string
	switch {
	case len(old) == len(now) && at < len(old) && equal(old[at+1:], now[at+1:]):
		if json.Unmarshal(old[at], &was) == nil && json.Unmarshal(now[at], &is) == nil {
			with(old, append(edits(was, is), madeOf(was)...))
		}
	case len(old) == len(now)+1 && equal(old[at+1:], now[at:]):
		if json.Unmarshal(old[at], &was) == nil {
			with(old, madeOf(was))
		}
	case len(old)+1 == len(now) && equal(old[at:], now[at+1:]):
		if json.Unmarshal(now[at], &is) == nil {
			with(now, madeOf(is))
		}
	}
	return out
}

// madeOf is a text with other letters and figures; none if it has none of these.
func madeOf(text string) []string {
	if other := otherwise(text); other != text {
		return []string{other}
	}
	return nil
}

// placeholder is what a template, a format or a way has in the place of something else.
var placeholder = regexp.MustCompile(`\{\{[^{}]*\}\}|\$\{[^{}]*\}|\{[^{}]*\}|\$[A-Za-z_]+|%[-+# 0-9.]*[A-Za-z]|<[A-Za-z_]+>|:[A-Za-z_]+`)

// edits are the texts with something else where two of them differ.
func edits(old, now string) (out []string) {
	if old == "" || now == "" || old == now || plainValue(old) || plainValue(now) {
		return nil
	}
	if SchemeOnly(old, now) {
		return otherScheme(old, now)
	}
	if begun, is, one := inList(old, now); begun {
		if !one {
			return nil // an item that is new, or gone, is often meant as that
		}
		items := edits(is.old, is.now)
		if plainValue(is.old) && !plainValue(is.now) { // a number that is none any more
			items = madeOf(is.old)
		}
		for _, item := range items {
			out = append(out, is.before+item+is.after)
		}
		return out
	}
	begin, end := common(old, now)
	if 2*(begin+end) < min(len(old), len(now)) {
		return nil // they are two texts, and each means what it does
	}
	was, is := old[begin:len(old)-end], now[begin:len(now)-end]
	add := func(text string) {
		if text != old && text != now && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for _, in := range placeholder.FindAllStringIndex(old, -1) {
		if begin >= in[0] && len(old)-end <= in[1] && len(was) > 0 {
			if spelling.Within(old, now, 2) { // any other name is none, either
				add(outside(old))
			}
			return out // else see Beside
		}
	}
	if was == "" {
		add(old[:begin] + otherwise(strings.Repeat("j", len(is))) + old[len(old)-end:])
		add(old[:begin] + otherwise(is) + old[len(old)-end:])
		return out
	}
	add(old[:begin] + otherwise(was) + old[len(old)-end:])
	if len(out) > 0 || is == "" { // nothing alone in the place of something else may be less, where the new text is more
		add(old[:begin] + old[len(old)-end:])
	}
	return out
}

// changed is an item of a list in a text, and what is around it.
type changed struct{ old, now, before, after string }

// fewer tells whether a list is another one without some of its items.
func fewer(few, all []string) bool {
	for _, item := range all {
		if len(few) > 0 && few[0] == item {
			few = few[1:]
		}
	}
	return len(few) == 0
}

// inList is the only item that differs of two lists in texts, with one sign between items; one is false if there is
// another number of items, or more than one differs. Where neither text is a list, begun is false.
func inList(old, now string) (begun bool, of changed, one bool) {
	sign := ""
	for _, s := range []string{",", ";", "|"} {
		if strings.Contains(old, s) || strings.Contains(now, s) {
			sign = s
			break
		}
	}
	if sign == "" || strings.ContainsAny(old+now, "{}()[]<>^$*?\\\"'") { // it is an expression, a format or a sentence of some kind
		return false, changed{}, false
	}
	was, is := strings.Split(old, sign), strings.Split(now, sign)
	if len(was) != len(is) {
		return fewer(was, is) || fewer(is, was), changed{}, false
	}
	for i := range was {
		switch {
		case was[i] == is[i]:
		case one:
			return true, changed{}, false
		default:
			of, one = changed{was[i], is[i], strings.Join(was[:i], sign) + strings.Repeat(sign, min(i, 1)), strings.Repeat(sign, min(len(was)-1-i, 1)) + strings.Join(was[i+1:], sign)}, true
		}
	}
	return true, of, one
}

// common is how many bytes two texts begin with alike, and how many they end with.
func common(old, now string) (begin, end int) {
	for begin < min(len(old), len(now)) && old[begin] == now[begin] {
		begin++
	}
	for end < min(len(old), len(now))-begin && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	return begin, end
}

// Beside is a text with other letters outside of the word in which another one differs from it, and of placeholders,
// and that word: a test that passes with it does not assert the text, nor, where that word is not in it otherwise,
// that. Empty if there are no letters. Of a placeholder in the place of another one it is the name of that, without
// what is around it.
func Beside(old, now string) (text, word string) {
	was, is := Bare(old), Bare(now)
	if strings.Contains(was, "://") || SchemeOnly(was, is) {
		return "", "" // it would be another host
	}
	begin, end := common(was, is)
	end = len(was) - end
	for _, in := range placeholder.FindAllStringIndex(was, -1) {
		if begin >= in[0] && end <= in[1] && begin < end && placeholder.MatchString(is) {
			if text = outside(was); text == was {
				return "", ""
			}
			return inQuotes(old, text), strings.Trim(was[in[0]:in[1]], "{}$<>%:. ")
		}
	}
	if len(edits(was, is)) == 0 || begin == end { // what is put in where nothing was is no other word
		return "", ""
	}
	part := func(r byte) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	for begin > 0 && part(was[begin-1]) {
		begin--
	}
	for end < len(was) && part(was[end]) {
		end++
	}
	digits := func(r rune) rune { // those of a layout of times say what they stand for
		if '0' <= r && r <= '9' {
			return r
		}
		return []rune(otherwise(string(r)))[0]
	}
	text = strings.Map(digits, was[:begin]) + was[begin:end] + strings.Map(digits, was[end:])
	if text == was || placeholder.MatchString(was) {
		return "", ""
	}
	return inQuotes(old, text), was[begin:end]
}

// inQuotes is a text as JSON has it, if another one is.
func inQuotes(as, text string) string {
	if Bare(as) == as {
		return text
	}
	quoted, _ := json.Marshal(text) // of a text there is no error
	return string(quoted)
}

// outside is a text with other letters and figures, but for its placeholders.
func outside(text string) string {
	var out strings.Builder
	last := 0
	for _, in := range placeholder.FindAllStringIndex(text, -1) {
		out.WriteString(otherwise(text[last:in[0]]) + text[in[0]:in[1]])
		last = in[1]
	}
	return out.String() + otherwise(text[last:])
}

// otherwise is a text of the same form with other letters and figures.
func otherwise(text string) string {
	turn := func(r, first, of rune) rune { return first + (r-first+of/2)%of }
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return turn(r, 'a', 26)
		case 'A' <= r && r <= 'Z':
			return turn(r, 'A', 26)
		case '0' <= r && r <= '9':
			return turn(r, '0', 10)
		}
		return r
	}, text)
}

// plainValue tells whether a text is a number, a time or a truth.
func plainValue(text string) bool {
	_, number := strconv.ParseFloat(text, 64)
	_, duration := time.ParseDuration(text)
	_, truth := strconv.ParseBool(text)
	_, hour := clockOf(text)
	return number == nil || duration == nil || truth == nil || hour
}

// IsEdit tells whether one text is an edit of another one, of which there is another one for a test: by [Edited], or by
// [Beside].
func IsEdit(old, now string) bool {
	beside, _ := Beside(old, now)
	return beside != "" || len(Edited(old, now)) > 0
}

// HarmlessEdit tells whether a test may be given an edit of a text: neither says for whom something is called, or where
// it is written, or both call the same.
func HarmlessEdit(name, old, now string) bool {
	if SchemeOnly(old, now) {
		return true
	}
	if p := (&asked{words: Words(name[strings.LastIndex(name, ".")+1:])}); p.named(somewhere...) {
		return false
	}
	for _, text := range []string{Bare(old), Bare(now)} {
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, `["/`) || strings.HasPrefix(text, "~") ||
			slices.ContainsFunc([]string{"://", "..", "$(", "`", `,"/`}, func(s string) bool { return strings.Contains(text, s) }) {
			return false
		}
	}
	return true
}

// schemes are those of which one is for the other, in secret.
var schemes = [][2]string{{"http", "https"}, {"ws", "wss"}}

// address is a host, and what may be behind it.
var address = regexp.MustCompile(`^[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[^\s]*)?$`)

// schemeOf is what a URL says how to call, and the rest of it; nothing and the whole of what does not say so.
func schemeOf(text string) (scheme, rest string) {
	if before, after, is := strings.Cut(text, "://"); is {
		return strings.ToLower(before), after
	}
	return "", text
}

// SchemeOnly tells whether two texts are one URL of the web, but for its scheme, which one of them may lack: both call
// the same host.
func SchemeOnly(old, now string) bool {
	one, rest := schemeOf(Bare(old))
	other, also := schemeOf(Bare(now))
	known := func(scheme string) bool {
		return scheme == "" || slices.ContainsFunc(schemes, func(pair [2]string) bool { return pair[0] == scheme || pair[1] == scheme })
	}
	return one != other && rest == also && known(one) && known(other) && address.MatchString(rest)
}

// otherScheme is a URL with the scheme of the kind that one of both has, which neither has.
func otherScheme(old, now string) []string {
	one, rest := schemeOf(old)
	other, _ := schemeOf(now)
	for _, pair := range schemes {
		for i, scheme := range pair {
			if third := pair[1-i]; (scheme == one || one == "" && scheme == other) && third != one && third != other {
				return []string{third + "://" + rest}
			}
		}
	}
	return nil
}
