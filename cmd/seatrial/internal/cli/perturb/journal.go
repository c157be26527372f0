package perturb

import (
	"encoding/json"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/console"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/journal"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
)

// head is the first line: another experiment, executable or version begins anew.
type head struct {
	Version    string `json:"version"`
	Experiment string `json:"experiment"`
	Executable string `json:"executable"`
}

// entry is one plan that needs no second run. Those that fail are run again, since
// the report shows what happened.
type entry struct {
	Plan    string          `json:"plan"`
	Verdict perturb.Verdict `json:"verdict"`
	Reason  string          `json:"reason,omitempty"`
}

// journalFolder is where it is noted what is done; empty for nowhere, where nothing of the run is kept.
func journalFolder(c *console.Console, t Trial, o *options) string {
	if !o.keeper.Keeps(c) {
		return ""
	}
	return t.Runs.Folder
}

// openJournal opens the journal of an experiment, and gives the results that are in it. It is nil, and notes
// nothing, without a folder.
func openJournal(folder string, e *experiment.Experiment, version string, resume bool) (*journal.Journal, map[string]*perturb.Result, error) {
	known := map[string]*perturb.Result{}
	if folder == "" {
		return nil, known, nil
	}
	h, err := headOf(e, version)
	if err != nil {
		return nil, known, err
	}
	path := filepath.Join(folder, "perturb", fileName(e.Metadata.Name)+".jsonl")
	j, err := journal.Open(path, h, resume, func(line []byte) bool {
		var one entry
		if json.Unmarshal(line, &one) != nil {
			return false
		}
		known[one.Plan] = &perturb.Result{Verdict: one.Verdict, Reason: one.Reason}
		return true
	})
	return j, known, err
}

// headOf identifies what is tried, the controller's program included.
func headOf(e *experiment.Experiment, version string) (head, error) {
	sum, err := journal.Sum(e)
	if err != nil {
		return head{}, err
	}
	h := head{Version: version, Experiment: sum}
	path, err := e.Controller.Executable()
	if err != nil {
		return h, err
	}
	h.Executable, _, err = journal.File(path)
	return h, err
}

// note notes what became of a plan.
func note(j *journal.Journal, r *perturb.Result) {
	if r.Verdict == perturb.Passed || r.Verdict == perturb.Infeasible {
		j.Note(entry{r.Plan.ID(), r.Verdict, r.Reason})
	}
}
