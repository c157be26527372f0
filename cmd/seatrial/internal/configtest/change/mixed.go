package change

import (
	"path"
	"slices"
	"strings"
)

// most lines that are compared with each other.
const mostCompared = 4 << 20

// Mixed is a text with some of the changes between two versions of a file: the lines of the new one where these are,
// and those of the old one elsewhere. It is false if that is not to be had: with their lines other things change, too.
func Mixed(name string, before, after []byte, changes []Change) ([]byte, bool) {
	olds, err := Parse(name, before)
	if err != nil {
		return nil, false
	}
	news, err := Parse(name, after)
	if err != nil {
		return nil, false
	}
	hunks, is := hunksOf(string(before), string(after))
	if !is {
		return nil, false
	}
	var out []string
	for _, h := range hunks {
		// Comments and anchors come with what is beside them.
		if slices.ContainsFunc(changes, func(c Change) bool { return h.has(c) }) {
			out = append(out, h.new...)
		} else {
			out = append(out, h.old...)
		}
	}
	if path.Ext(name) == ".json" {
		out = punctuated(out)
	}
	text := strings.Join(out, "")
	mixed, err := Parse(name, []byte(text))
	return []byte(text), err == nil && says(mixed, olds, news, changes)
}

// punctuated are lines of JSON with a comma where another item is behind one, and none at the end: what is behind a
// line in one version may not be there in the other.
func punctuated(lines []string) []string {
	out := slices.Clone(lines)
	next := byte(0) // what the next line begins with
	for i, line := range slices.Backward(lines) {
		plain := strings.TrimRight(line, " \t\r\n")
		if strings.TrimSpace(plain) == "" {
			continue
		}
		said := strings.TrimSuffix(plain, ",")
		switch {
		case next == 0 || next == '}' || next == ']':
			out[i] = said + line[len(plain):]
		case !strings.ContainsAny(said[max(0, len(said)-1):], "{[:,"):
			out[i] = said + "," + line[len(plain):]
		}
		next = strings.TrimSpace(line)[0]
	}
	return out
}

// says tells whether settings are those of the old version but for some changes.
func says(mixed, olds, news []Setting, changes []Change) bool {
	want := func(id Identity) bool {
		return slices.ContainsFunc(changes, func(c Change) bool { return c.Identity == id })
	}
	for _, c := range Between(olds, mixed) {
		if !want(c.Identity) {
			return false
		}
	}
	return !slices.ContainsFunc(Between(mixed, news), func(c Change) bool { return want(c.Identity) })
}

// hunk is some lines, of which both versions have others; equal ones have no numbers.
type hunk struct {
	old, new           []string
	oldFirst, newFirst int // the numbers of the first lines; 0 of equal ones
}

// has tells whether a change is in it.
func (h hunk) has(c Change) bool {
	line, first, lines := c.Location.Line, h.newFirst, h.new
	if c.New == nil {
		first, lines = h.oldFirst, h.old
	}
	return first > 0 && first <= line && line < first+len(lines)
}

// hunksOf are what two texts have in common, and what not, by lines; false if they are too long for that.
func hunksOf(before, after string) (out []hunk, is bool) {
	olds, news := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if len(olds)*len(news) > mostCompared {
		return nil, false
	}
	common := inCommon(olds, news)
	for i, j := 0, 0; i < len(olds) || j < len(news); {
		h := hunk{oldFirst: i + 1, newFirst: j + 1}
		for i < len(olds) || j < len(news) {
			if i < len(olds) && j < len(news) && olds[i] == news[j] {
				break
			}
			if j == len(news) || i < len(olds) && common[i+1][j] >= common[i][j+1] {
				h.old, i = append(h.old, olds[i]), i+1
			} else {
				h.new, j = append(h.new, news[j]), j+1
			}
		}
		out = append(out, h.apart()...)
		same := hunk{}
		for i < len(olds) && j < len(news) && olds[i] == news[j] {
			same.old, same.new = append(same.old, olds[i]), append(same.new, news[j])
			i, j = i+1, j+1
		}
		out = append(out, same)
	}
	return out, true
}

// inCommon is how many lines each two endings have in common, by where these begin.
func inCommon(olds, news []string) [][]int32 {
	common := make([][]int32, len(olds)+1)
	for i := range common {
		common[i] = make([]int32, len(news)+1)
	}
	for i := len(olds) - 1; i >= 0; i-- {
		for j := len(news) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); olds[i] == news[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	return common
}

// apart are the changes of their own in a hunk: lines that stand for each other, one for one or by their keys, and what
// is between those.
func (h hunk) apart() (out []hunk) {
	olds, news := names(h.old), names(h.new)
	if len(olds) == len(news) {
		olds, news = make([]string, len(olds)), make([]string, len(news)) // all alike
	}
	common := inCommon(olds, news)
	rest := hunk{oldFirst: h.oldFirst, newFirst: h.newFirst}
	end := func() {
		if len(rest.old)+len(rest.new) > 0 {
			out = append(out, rest)
		}
	}
	i, j := 0, 0
	for i < len(olds) || j < len(news) {
		switch {
		case i < len(olds) && j < len(news) && olds[i] == news[j]:
			end()
			out = append(out, hunk{h.old[i : i+1], h.new[j : j+1], h.oldFirst + i, h.newFirst + j})
			i, j = i+1, j+1
			rest = hunk{oldFirst: h.oldFirst + i, newFirst: h.newFirst + j}
		case j == len(news) || i < len(olds) && common[i+1][j] >= common[i][j+1]:
			rest.old, i = append(rest.old, h.old[i]), i+1
		default:
			rest.new, j = append(rest.new, h.new[j]), j+1
		}
	}
	end()
	return out
}

// names are what lines begin with, up to the end of a key; the line itself where there is none.
func names(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if out[i] = line; strings.ContainsAny(line, ":=") {
			out[i] = line[:strings.IndexAny(line, ":=")]
		}
	}
	return out
}

// Replaced is a text with another value at a change, which is in a line of its own; false if that is not to be had.
func Replaced(name string, text []byte, c Change, other string) ([]byte, bool) {
	if c.New == nil || c.New.Type == List || c.New.Type == Map || c.New.text == "" {
		return nil, false
	}
	now, err := Parse(name, text)
	if err != nil {
		return nil, false
	}
	lines := strings.SplitAfter(string(text), "\n")
	at := -1
	for _, s := range now { // elsewhere than in the new version, where that has more that changes
		if s.Identity == c.Identity {
			at = s.Location.Line - 1
		}
	}
	if at < 0 || at >= len(lines) {
		return nil, false
	}
	line := lines[at]
	for end := len(line); end > 0; {
		begin := strings.LastIndex(line[:end], c.New.text)
		if begin < 0 {
			break
		}
		end = begin + len(c.New.text) - 1
		out := slices.Clone(lines)
		out[at] = line[:begin] + other + line[begin+len(c.New.text):]
		all := strings.Join(out, "")
		then, err := Parse(name, []byte(all))
		if err != nil {
			continue
		}
		if differs := Between(now, then); len(differs) == 1 && differs[0].Identity == c.Identity && differs[0].New != nil && differs[0].New.text == other {
			return []byte(all), true
		}
	}
	return nil, false
}
