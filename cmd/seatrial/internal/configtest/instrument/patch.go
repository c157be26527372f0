package instrument

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// patch is a place in a library, known by the name of a function, at which something is done first.
type patch struct {
	// receiver is the type of a method, without the star; empty for a function.
	receiver, function string
	// insert stands before the first statement, on the same line, so that lines stay what they are.
	insert string
	// result is a name for the only result, if what is inserted needs it.
	result string
	// optional: older versions do not have the function.
	optional bool
}

func (p patch) String() string {
	if p.receiver != "" {
		return p.receiver + "." + p.function
	}
	return p.function
}

// edit is text that is put somewhere.
type edit struct {
	at   int
	text string
}

// apply changes a file where it has one of the places, and says which it has.
func apply(name string, source []byte, patches []patch) (changed []byte, done []int, err error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var edits []edit
	at := func(p token.Pos) int { return set.PositionFor(p, false).Offset }
	for _, d := range f.Decls {
		fn, is := d.(*ast.FuncDecl)
		if !is || fn.Body == nil {
			continue
		}
		for i, p := range patches {
			if fn.Name.Name != p.function || receiver(fn) != p.receiver {
				continue
			}
			if p.result != "" {
				results := fn.Type.Results
				if results == nil || len(results.List) != 1 || len(results.List[0].Names) > 0 || results.Opening.IsValid() {
					continue // it is not the function that is known
				}
				edits = append(edits, edit{at(results.Pos()), "(" + p.result + " "}, edit{at(results.End()), ")"})
			}
			edits = append(edits, edit{at(fn.Body.Lbrace) + 1, " " + p.insert})
			done = append(done, i)
		}
	}
	return insert(source, edits), done, nil
}

// insert puts texts where they belong.
func insert(source []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(source[from:e.at])
		out.WriteString(e.text)
		from = e.at
	}
	out.Write(source[from:])
	return out.Bytes()
}

// receiver is the name of the type of a method, without the star.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return ""
	}
	t := fn.Recv.List[0].Type
	if star, is := t.(*ast.StarExpr); is {
		t = star.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	if name, is := t.(*ast.Ident); is {
		return name.Name
	}
	return ""
}
