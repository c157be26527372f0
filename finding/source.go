package finding

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Source is a few lines of a user's file around the locations of a report, so that
// it can be shown where the file is not.
type Source struct {
	File string `json:"file"`
	// Line is the number of the first line, from 1.
	Line int `json:"line"`
	// Text are the lines without their ends; one that is long is cut.
	Text []string `json:"text"`
}

const (
	// quoteBefore and quoteAfter are how many lines around a location are kept.
	quoteBefore, quoteAfter = 5, 4
	quoteColumnsMax         = 240
	quoteLinesMax           = 1000
)

// Quote keeps the lines around what r says of files: causes, and what is left out of
// account and could matter. text gives a file by its name in locations, or says that
// it has none. A quote does not go beyond the document that a location is in: what
// is beside it in a file can be anything, a Secret for example.
func (r *Report) Quote(text func(file string) ([]byte, bool)) {
	wanted := map[string][]int{}
	note := func(l Location) {
		if l.File != "" && l.Line > 0 {
			wanted[l.File] = append(wanted[l.File], l.Line)
		}
	}
	for _, result := range r.Results {
		for _, c := range result.Causes {
			note(c.Location)
		}
	}
	for _, o := range r.Omissions {
		if o.Blocking {
			note(o.Location)
		}
	}
	r.Sources = nil
	left := quoteLinesMax
	for _, file := range sortedKeys(wanted) {
		data, ok := text(file)
		if !ok {
			continue
		}
		for _, s := range quotes(file, data, wanted[file]) {
			if left -= len(s.Text); left < 0 {
				return
			}
			r.Sources = append(r.Sources, s)
		}
	}
}

// Quoted is the source that has a location, or nil.
func (r *Report) Quoted(l Location) *Source { return Quoted(r.Sources, l) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// quotes are the lines around the given ones; quotes that touch are one.
func quotes(file string, data []byte, at []int) []Source {
	lines := bytes.Split(data, []byte("\n"))
	if n := len(lines); len(lines[n-1]) == 0 {
		lines = lines[:n-1]
	}
	type span struct{ first, last int }
	var spans []span
	slices.Sort(at)
	for _, n := range slices.Compact(at) {
		if n > len(lines) {
			continue
		}
		s := span{n, n}
		for s.first > 1 && n-s.first < quoteBefore && !separates(lines[s.first-2]) {
			s.first--
		}
		for s.last < len(lines) && s.last-n < quoteAfter && !separates(lines[s.last]) {
			s.last++
		}
		if k := len(spans) - 1; k >= 0 && s.first <= spans[k].last+1 {
			spans[k].last = max(spans[k].last, s.last)
			continue
		}
		spans = append(spans, s)
	}
	var out []Source
	for _, s := range spans {
		source := Source{File: file, Line: s.first}
		for _, line := range lines[s.first-1 : s.last] {
			source.Text = append(source.Text, short(line))
		}
		out = append(out, source)
	}
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(a.Line, b.Line) })
	return out
}

// separates: the line ends a document.
func separates(line []byte) bool {
	return bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
}

// short is a line as valid UTF-8, of at most so many characters.
func short(line []byte) string {
	s := strings.TrimSuffix(strings.ToValidUTF8(string(line), "\uFFFD"), "\r")
	if utf8.RuneCountInString(s) <= quoteColumnsMax {
		return s
	}
	return string([]rune(s)[:quoteColumnsMax-1]) + "…"
}
