package choose

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// Negated are settings in which an argument --no-NAME says that the flag NAME is false, as of libraries that know that
// of each truth: where the program has a flag NAME, and none that is called no-NAME itself.
func Negated(m *parameter.Map, settings []change.Setting) []change.Setting {
	out := slices.Clone(settings)
	for i, s := range out {
		name, is := strings.CutPrefix(s.Path, "--no-")
		if !is || s.Kind != change.Flag || s.Value.Type != change.Truth {
			continue
		}
		_, itself := m.Class(parameter.New(parameter.Flag, s.Path))
		_, positive := m.Class(parameter.New(parameter.Flag, "--"+name))
		if positive && !itself {
			out[i].Path, out[i].Value = "--"+name, s.Value.Not()
		}
	}
	return out
}
