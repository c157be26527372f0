package choose

import (
	"encoding/json"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
)

// flagOf is the flag that a file of flags has under a key: --probe.interval for interval below probe, as urfave/cli's
// altsrc and ff look for them.
func flagOf(id change.Identity) parameter.ID {
	return parameter.New(parameter.Flag, "--"+strings.Join(id.Steps(), "."))
}

// flagged links a key of a file of flags to the flag; a list is that flag, given several times.
func (l *linker) flagged(c *Change) {
	to := *c
	if l.named(&to, flagOf(c.Identity)); to.Class == nil {
		return
	}
	for _, v := range []struct {
		from *change.Value
		to   **string
	}{{c.Change.Old, &to.Old}, {c.Change.New, &to.New}} {
		switch {
		case v.from == nil:
		case v.from.Type == change.Map:
			return
		case v.from.Type == change.List:
			var items []string
			if json.Unmarshal(v.from.JSON(), &items) != nil {
				return
			}
			text := strings.Join(items, record.Again)
			*v.to = &text
		}
	}
	*c = to
}

// ofFlags tells whether a file says what flags are: most of its keys are called as some are, and nobody else is known
// to read it. One that is for something else may have a key or two that are called so.
func (l *linker) ofFlags(in string) bool {
	all, flags := 0, 0
	for _, s := range l.after {
		if s.In != in || s.Kind != change.Key || strings.HasSuffix(s.Path, "]") {
			continue
		}
		all++
		if _, is := l.m.Class(flagOf(s.Identity)); is {
			flags++
		}
	}
	return flags > 1 && 2*flags > all
}
