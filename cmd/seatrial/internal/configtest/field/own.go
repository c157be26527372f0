package field

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// ownDocuments finds the variables and constants of packages that hold a text of the program itself: what it embeds,
// and what is written there in several lines. What is decoded of such a text are defaults of the program, and nothing
// that a test has brought along.
func (a *analysis) ownDocuments() {
	a.documents = map[string]bool{}
	for _, f := range a.files {
		if f.test {
			continue
		}
		for _, d := range f.syntax.Decls {
			decl, is := d.(*ast.GenDecl)
			if !is || decl.Tok != token.VAR && decl.Tok != token.CONST {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.ValueSpec)
				embedded := embeds(decl.Doc) || embeds(spec.Doc)
				for i, name := range spec.Names {
					o := f.info.Defs[name]
					if o != nil && text(o.Type()) && (embedded || i < len(spec.Values) && inLines(spec.Values[i])) || embedded && o != nil && isFolder(o.Type()) {
						a.documents[a.where(o)] = true
					}
				}
			}
		}
	}
}

// embeds tells whether a comment has the go command put files into what is below it.
func embeds(doc *ast.CommentGroup) bool {
	for _, c := range commentsOf(doc) {
		if strings.HasPrefix(c.Text, "//go:embed ") {
			return true
		}
	}
	return false
}

func commentsOf(doc *ast.CommentGroup) []*ast.Comment {
	if doc == nil {
		return nil
	}
	return doc.List
}

// text tells whether a type is one of texts, and nothing else by name.
func text(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.String || t.Kind() == types.UntypedString
	case *types.Slice:
		of, is := t.Elem().(*types.Basic)
		return is && of.Kind() == types.Byte
	}
	return false
}

// isFolder tells whether a type is that of a folder that is embedded.
func isFolder(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "embed" && n.Obj().Name() == "FS"
}

// inLines tells whether a text of several lines is written in an expression.
func inLines(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if lit, literal := n.(*ast.BasicLit); literal && lit.Kind == token.STRING {
			is = is || strings.Contains(lit.Value, "\n") || strings.Contains(lit.Value, `\n`)
		}
		_, closure := n.(*ast.FuncLit)
		return !closure
	})
	return is
}

// ownDocument notes that the program takes a text of its own, to decode it maybe.
func (v *visitor) ownDocument(n *ast.Ident) {
	o := v.info.Uses[n]
	if o == nil || v.test || v.skipped[n] || len(v.documents) == 0 || !v.documents[v.where(o)] {
		return
	}
	var e ast.Expr = n
	if of, is := v.above(0).(*ast.SelectorExpr); is && of.Sel == n {
		e = of
	}
	if _, constant := o.(*types.Const); constant && !text(v.info.TypeOf(e)) || v.inDeclaration() {
		return
	}
	v.wrap(e, recorder+".Document(", ")")
}

// inDeclaration tells whether what is visited has to be a constant.
func (v *visitor) inDeclaration() bool {
	for i := range len(v.stack) - 1 {
		switch n := v.above(i).(type) {
		case *ast.GenDecl:
			return n.Tok == token.CONST
		case *ast.CaseClause, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// decodedText notes what a decoder is given, where that is said: one that has it as an argument, or that is made of a
// reader.
func (v *visitor) decodedText(n *ast.CallExpr) {
	if v.test || len(v.documents) == 0 || n.Ellipsis.IsValid() {
		return
	}
	f, is := typeutil.Callee(v.info, n).(*types.Func)
	if !is || f.Pkg() == nil {
		return
	}
	if d, into := decodes(v.info, n); d != nil {
		for _, arg := range n.Args[:into] {
			if t := v.info.TypeOf(arg); t != nil && text(t) && v.info.Types[arg].Value == nil {
				v.wrap(arg, recorder+".Text(", ")")
			}
		}
		return
	}
	if f.Name() != "NewDecoder" || len(n.Args) == 0 {
		return
	}
	for _, d := range decoders {
		if d.path.MatchString(f.Pkg().Path()) {
			v.wrap(n.Args[0], recorder+".Text(", ")")
			return
		}
	}
}
