package campaign

import (
	"encoding/json"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/journal"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
)

// head is the first line: another input, program, plan or version begins anew.
type head struct {
	Version    string `json:"version"`
	Input      string `json:"input"`
	Executable string `json:"executable"`
	Operations int    `json:"operations"`
	// Cluster is the user's on which runs happen; nil for planes.
	Cluster *kubeconfig.Choice `json:"cluster,omitempty"`
}

// journalFolder is where it is noted what is done; empty for nowhere, where nothing of the run is kept.
func journalFolder(c *console.Console, t Trial, o *options) string {
	if !o.keeper.Keeps(c) {
		return ""
	}
	return t.Runs.Folder
}

// openJournal opens the journal of what h and the input say, and gives the results that are in it. It is nil, and
// notes nothing, without a folder.
func openJournal(folder string, in *input.Input, h head, resume bool) (*journal.Journal, map[string]*campaign.Result, error) {
	known := map[string]*campaign.Result{}
	if folder == "" {
		return nil, known, nil
	}
	if err := h.identify(in); err != nil {
		return nil, known, err
	}
	path := filepath.Join(folder, "campaign", reproduction.FileName(in.Name)+".jsonl")
	j, err := journal.Open(path, h, resume, func(line []byte) bool {
		var r campaign.Result
		if json.Unmarshal(line, &r) != nil || r.ID == "" {
			return false
		}
		known[r.ID] = &r
		return true
	})
	return j, known, err
}

// identify says what is tried, the operator's program included.
func (h *head) identify(in *input.Input) error {
	var err error
	if h.Input, err = journal.Sum(in); err != nil {
		return err
	}
	path, err := in.Controller.Executable()
	if err != nil {
		return err
	}
	h.Executable, _, err = journal.File(path)
	return err
}
