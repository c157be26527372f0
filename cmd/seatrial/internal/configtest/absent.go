package configtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// absent notes which of what does not change is a path at which nothing is on this machine.
func absent(all []choose.Change) {
	for i, c := range all {
		if c.New == nil || !filepath.IsAbs(value.Bare(*c.New)) {
			continue
		}
		_, err := os.Stat(value.Bare(*c.New))
		all[i].Absent = errors.Is(err, fs.ErrNotExist)
	}
}
