package campaign

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
)

// findingFolder is where reproductions of findings are written, each in a folder of its own.
type findingFolder struct {
	folder, version string
	in              *input.Input
	// where are the flags that say on which cluster it happens.
	where string
}

// folderOf is what the user wants, or else beside the runs.
func folderOf(t Trial, o *options) string {
	if o.reproductions != "" || t.Runs.Folder == "" {
		return o.reproductions
	}
	return filepath.Join(t.Runs.Folder, "findings")
}

// write writes one, and says how to run it.
func (f findingFolder) write(number int, one *campaign.Finding) (string, error) {
	if f.folder == "" {
		return "", errors.New("no runs are kept: say where with --reproductions")
	}
	folder := filepath.Join(f.folder, fmt.Sprintf("%s-%d", reproduction.FileName(f.in.Name), number+1))
	if err := reproduction.Write(folder, one.Reproduction(f.in, f.version)); err != nil {
		return "", err
	}
	return "seatrial campaign --reproduce " + shell.Quote(filepath.Join(folder, reproduction.File)) + f.where, nil
}
