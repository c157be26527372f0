package field

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// letter is the one by which a flag is known, too: a text or a rune; empty for none.
func letter(info *types.Info, e ast.Expr) string {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.Int {
		if n, is := constant.Int64Val(v); is && n > 0 {
			return string(rune(n))
		}
	}
	text, _ := constantText(info, e)
	return text
}

// shortOf notes that a flag has a letter.
func (a *analysis) shortOf(letter string, flag parameter.ID) {
	if len(letter) != 1 {
		return
	}
	short := parameter.New(parameter.Flag, "--"+letter)
	if a.shorts[short] == nil {
		a.shorts[short] = map[parameter.ID]bool{}
	}
	a.shorts[short][flag] = true
}

// joinShorts joins flags with their letters, but for one that several flags have, each of another command, or that is
// the name of one.
func (a *analysis) joinShorts() {
	for short, flags := range a.shorts {
		if len(flags) > 1 || a.bound[short] != nil {
			continue
		}
		for flag := range flags {
			a.alias(short, flag)
		}
	}
}
