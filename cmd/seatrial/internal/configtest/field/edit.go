package field

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// edit is a text that is put into a source. What is there stays, and so do the numbers of lines.
type edit struct {
	at    int
	order int // of those at one place
	text  string
	line  int
	group int // edits that belong together
}

// wrap puts texts before and behind a node.
func (v *visitor) wrap(n ast.Node, before, behind string) {
	f, line := v.file, v.fset.Position(n.Pos()).Line
	v.group++
	// What ends at a place comes before what begins there; of what begins, the outer one is first, of what ends, the
	// inner one.
	f.edits = append(f.edits,
		edit{at: v.offset(n.Pos()), order: 1_000_000_000 + v.group, text: before, line: line, group: v.group},
		edit{at: v.offset(n.End()), order: -v.group, text: behind, line: line, group: v.group})
}

// behind puts a statement behind another one.
func (v *visitor) behind(n ast.Node, text string) {
	v.group++
	v.file.edits = append(v.file.edits, edit{at: v.offset(n.End()), order: v.group, text: "; " + text, line: v.fset.Position(n.End()).Line, group: v.group})
}

// inside puts a text at a place.
func (v *visitor) inside(at token.Pos, text string) {
	v.group++
	v.file.edits = append(v.file.edits, edit{at: v.offset(at), order: 500_000_000 + v.group, text: text, line: v.fset.Position(at).Line, group: v.group})
}

func (v *visitor) offset(p token.Pos) int { return v.fset.Position(p).Offset }

// recorder is how sources call the package that is added.
const recorder = "seatrialfield"

// rewritten is the new text of a file; nil if nothing in it changes.
func (f *file) rewritten(module string, name int) []byte {
	dropped := map[int]bool{}
	for _, e := range f.edits {
		if f.dropped[e.line] {
			dropped[e.group] = true
		}
	}
	edits := slices.DeleteFunc(slices.Clone(f.edits), func(e edit) bool { return dropped[e.group] })
	added, some := f.declarations()
	if len(edits) == 0 && !some || f.dropped[0] {
		return nil
	}
	edits = append(edits, edit{at: name, text: fmt.Sprintf("; import %s %q", recorder, module+"/internal/"+recorder)})
	slices.SortStableFunc(edits, func(x, y edit) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.order, y.order)) })
	var out strings.Builder
	last := 0
	for _, e := range edits {
		out.Write(f.text[last:e.at])
		out.WriteString(e.text)
		last = e.at
	}
	out.Write(f.text[last:])
	out.WriteString(added)
	return []byte(out.String())
}

// declarations are what stands behind a file, but for what does not work, and whether there is any.
func (f *file) declarations() (text string, some bool) {
	for i, one := range f.added {
		if text += "\n"; !f.dropped[f.lines()+2+i] {
			text, some = text+one, true
		}
	}
	return text, some
}

// isAdded tells whether a line is that of a declaration which stands behind what is there.
func (f *file) isAdded(line int) bool { return line > f.lines()+1 && line < f.lines()+2+len(f.added) }

// lines are how many a file has that end.
func (f *file) lines() int { return bytes.Count(f.text, []byte("\n")) }
