package choose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// Positional are settings in which a text behind a flag is none of its value, if the flag is a truth: libraries take it
// for what it is by its position, also where it is a truth itself. truth tells of a name whether it is that of a truth.
func Positional(m *parameter.Map, truth func(parameter.ID) bool, settings []change.Setting) []change.Setting {
	var out []change.Setting
	positions := map[string]int{}
	place := func(s change.Setting) change.Setting {
		s.Path = fmt.Sprintf("[%d]", positions[s.In])
		positions[s.In]++
		return s
	}
	for _, s := range settings {
		if s.Kind == change.Flag && strings.HasPrefix(s.Path, "[") {
			s = place(s)
		}
		on, text, apart := s.Value.Apart()
		class, is := m.Class(parameter.New(parameter.Flag, s.Path))
		if s.Kind != change.Flag || !apart || !is || !slices.ContainsFunc(class.Identities(), truth) {
			out = append(out, s)
			continue
		}
		behind := s
		s.Value, behind.Value = on, text
		out = append(out, s, place(behind))
	}
	return out
}
