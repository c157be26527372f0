package perturb

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
)

// journal notes each plan that is done, so that --resume need not run it again: a
// file of lines, the first of which says for what.
type journal struct {
	file  *os.File
	known map[string]*perturb.Result
}

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

func openJournal(folder string, e *experiment.Experiment, version string, resume bool) (*journal, error) {
	j := &journal{known: map[string]*perturb.Result{}}
	if folder == "" {
		return j, nil
	}
	h, err := headOf(e, version)
	if err != nil {
		return j, err
	}
	path := filepath.Join(folder, "perturb", fileName(e.Metadata.Name)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return j, err
	}
	mode := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if resume {
		same, err := j.read(path, h)
		if err != nil {
			return j, err
		}
		if same {
			mode = os.O_WRONLY | os.O_APPEND
		}
	}
	if j.file, err = os.OpenFile(path, mode, 0o600); err != nil {
		return j, err
	}
	if mode&os.O_TRUNC != 0 {
		return j, json.NewEncoder(j.file).Encode(h)
	}
	return j, nil
}

// headOf identifies what is tried, the controller's program included.
func headOf(e *experiment.Experiment, version string) (head, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return head{}, err
	}
	sum := sha256.Sum256(text)
	h := head{Version: version, Experiment: hex.EncodeToString(sum[:])}
	path, err := e.Controller.Executable()
	if err != nil {
		return h, err
	}
	program, err := os.ReadFile(path)
	if err != nil {
		return h, err
	}
	sum = sha256.Sum256(program)
	h.Executable = hex.EncodeToString(sum[:])
	return h, nil
}

// read takes the entries; false if they are of something else.
func (j *journal) read(path string, want head) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var is head
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &is) != nil || is != want {
		return false, nil
	}
	for lines.Scan() {
		var e entry
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			break // the last line, if it was cut off
		}
		j.known[e.Plan] = &perturb.Result{Verdict: e.Verdict, Reason: e.Reason}
	}
	return true, lines.Err()
}

// note writes what became of a plan. A failure to write costs no more than time.
func (j *journal) note(r *perturb.Result) {
	if j.file == nil || r.Verdict != perturb.Passed && r.Verdict != perturb.Infeasible {
		return
	}
	_ = json.NewEncoder(j.file).Encode(entry{r.Plan.ID(), r.Verdict, r.Reason})
}

func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
	}
}
