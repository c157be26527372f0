package campaign

import (
	"encoding/json"
	"os"
	"os/exec"
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
	Version string `json:"version"`
	Input   string `json:"input"`
	// Programs are the sums of the operator's and of those of the user's oracles, and of their scripts.
	Programs   []string `json:"programs"`
	Operations int      `json:"operations"`
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

// identify says what is tried, the programs included.
func (h *head) identify(in *input.Input) error {
	var err error
	if h.Input, err = journal.Sum(in); err != nil {
		return err
	}
	path, err := in.Controller.Executable()
	if err != nil {
		return err
	}
	sum, _, err := journal.File(path)
	if err != nil {
		return err
	}
	h.Programs = append([]string{sum}, script(in.Controller.Command, in.Controller.Directory)...)
	for _, o := range in.Oracles {
		if len(o.Command) == 0 {
			continue
		}
		// One that is not there gives no verdict.
		if path, err := exec.LookPath(o.Command[0]); err == nil {
			sum, _, _ := journal.File(path)
			h.Programs = append(h.Programs, sum)
		}
		h.Programs = append(h.Programs, script(o.Command, in.Folder)...)
	}
	return nil
}

// script is the sum of the first argument of a command that is a file: what an interpreter runs. What stands behind it
// may be written to meanwhile.
func script(command []string, folder string) []string {
	for _, word := range command[1:] {
		if !filepath.IsAbs(word) {
			word = filepath.Join(folder, word)
		}
		if about, err := os.Stat(word); err != nil || !about.Mode().IsRegular() {
			continue
		}
		if sum, _, err := journal.File(word); err == nil {
			return []string{sum}
		}
	}
	return nil
}
