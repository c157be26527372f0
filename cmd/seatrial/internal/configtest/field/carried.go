package field

import (
	"fmt"
	"go/ast"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// copied are the carriers in which a value of the program ends, as arguments; empty if it is used for something else,
// or for nothing.
func (v *visitor) copied(e ast.Expr) string {
	if v.test {
		return ""
	}
	to := v.carriage.goes(v.file, e)
	if to == nil {
		return ""
	}
	var ids []string
	seen := map[string]bool{}
	for _, at := range to.carriers {
		if id := strconv.Quote(string(v.carriage.names[at])); !seen[at] {
			ids, seen[at] = append(ids, id), true
		}
	}
	return strings.Join(ids, ", ")
}

// copiesOn notes that the value of an expression that says what is configured is only copied.
func (v *visitor) copiesOn(e ast.Expr) {
	if ids := v.copied(e); ids != "" {
		v.reads(e, v.at(e)+", "+ids, "Copied", "CopiedV") // with its address, since a part of it may be read
	}
}

// carries notes that a carrier is read.
func (v *visitor) carries(e *ast.SelectorExpr) {
	at := v.carriage.ofSelector(v.file, e)
	if to := v.carriage.known[at]; at == "" || to == nil || v.carriage.exposed[at] || v.logged(e) || !v.test && v.carriage.goes(v.file, e) != nil {
		return
	}
	args := v.at(e) + ", " + strconv.Quote(string(v.carriage.names[at]))
	if key, by := v.only(e); by == "RAt" {
		v.wrap(e, fmt.Sprintf("(*%s.CarriedAt(&", recorder), ", "+key+", "+args+"))")
		return
	}
	v.reads(e, args, "Carried", "CarriedV")
}

// copiesAnswer is copiesOn of a call that asks a library, or the environment, for a value.
func (v *visitor) copiesAnswer(call *ast.CallExpr) {
	if v.answers(call) {
		v.copiesOn(call)
	}
}

// answers tells whether a call is one that asks a library, or the environment, for what is configured.
func (v *visitor) answers(call *ast.CallExpr) bool {
	by, is := typeutil.Callee(v.info, call).(*types.Func)
	return v.library(call) != "" || is && by.FullName() == "os.Getenv"
}
