package change

import (
	"path"
	"reflect"
	"strings"
)

// Ported is what a text that is nearly the old version of a file is to say with the changes to the new one: a copy with
// addresses of its own has those still. Lines that change have to be in it as they are in the old version. It is false
// if they are not, or if more or less would change with them.
func Ported(name string, before, after, near []byte) ([]byte, bool) {
	hunks, is := hunksOf(string(before), string(after))
	if !is {
		return nil, false
	}
	at, is := alignment(string(before), string(near))
	if !is {
		return nil, false
	}
	lines := strings.SplitAfter(string(near), "\n")
	var out []string
	done, line := 0, 0 // how many lines of near, and of the old version, are through
	for _, h := range hunks {
		old := line
		line += len(h.old)
		if h.oldFirst == 0 { // equal in both versions
			continue
		}
		first, ok := placed(at, old, len(h.old))
		if !ok || first < done {
			return nil, false
		}
		out = append(append(out, lines[done:first]...), h.new...)
		done = first + len(h.old)
	}
	out = append(out, lines[done:]...)
	if path.Ext(name) == ".json" {
		out = punctuated(out)
	}
	text := []byte(strings.Join(out, ""))
	return text, sameChanges(name, before, after, near, text)
}

// alignment is the line of the second text that each line of the first one is, from 0; -1 for none. It is false if they
// are too long for that.
func alignment(before, near string) (at []int, is bool) {
	hunks, is := hunksOf(before, near)
	other := 0
	for _, h := range hunks {
		for i := range h.old {
			if h.oldFirst == 0 {
				at = append(at, other+i)
			} else {
				at = append(at, -1)
			}
		}
		other += len(h.new)
	}
	return at, is
}

// placed is where some lines of the old version are in the other text; where there are none, where others are put
// between its lines.
func placed(at []int, line, n int) (first int, is bool) {
	switch {
	case n == 0 && line == 0:
		return 0, true
	case n == 0 && at[line-1] >= 0:
		return at[line-1] + 1, true
	case n == 0:
		return at[min(line, len(at)-1)], line < len(at) && at[line] >= 0
	}
	for i := range n {
		if at[line+i] < 0 || at[line+i] != at[line]+i {
			return 0, false
		}
	}
	return at[line], true
}

// sameChanges tells whether two texts differ in the same keys as two others, and come to the same values.
func sameChanges(name string, before, after, near, text []byte) bool {
	type said struct{ path, old, now string }
	read := func(a, b []byte) (out []said) {
		olds, err := Parse(name, a)
		if err != nil {
			return nil
		}
		news, err := Parse(name, b)
		if err != nil {
			return nil
		}
		show := func(v *Value) string {
			if v == nil {
				return ""
			}
			return "=" + v.Reveal()
		}
		for _, c := range Between(olds, news) {
			out = append(out, said{c.Path, show(c.Old), show(c.New)})
		}
		return out
	}
	want := read(before, after)
	return len(want) > 0 && reflect.DeepEqual(want, read(near, text))
}

// Alike tells whether a text says most of what another one does, at the same keys: a copy of it, but for some values.
func Alike(name string, a, b []byte) bool {
	one, err := Parse(name, a)
	if err != nil {
		return false
	}
	other, err := Parse(name, b)
	if err != nil {
		return false
	}
	differ := len(Between(one, other))
	all := max(len(one), len(other))
	return all > 1 && 2*differ < all
}
