package campaign

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/reproduction"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
)

// journal notes each sequence that is done, so that --resume need not run it again: a file of
// lines, the first of which says for what.
type journal struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]*campaign.Result
}

// head is the first line: another input, program, plan or version begins anew.
type head struct {
	Version    string `json:"version"`
	Input      string `json:"input"`
	Executable string `json:"executable"`
	Operations int    `json:"operations"`
	// Cluster is the user's on which runs happen; nil for planes.
	Cluster *kubeconfig.Choice `json:"cluster,omitempty"`
}

// lineMax bounds a line that is read, in bytes.
const lineMax = 16 << 20

// openJournal opens the journal of what h and the input say.
func openJournal(folder string, in *input.Input, h head, resume bool) (*journal, error) {
	j := &journal{known: map[string]*campaign.Result{}}
	if folder == "" {
		return j, nil
	}
	if err := h.identify(in); err != nil {
		return j, err
	}
	path := filepath.Join(folder, "campaign", reproduction.FileName(in.Name)+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return j, err
	}
	end := int64(0)
	if resume {
		var err error
		if end, err = j.read(path, h); err != nil {
			return j, err
		}
	}
	var err error
	if j.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return j, err
	}
	// A last line that was cut off is written over.
	if err := j.file.Truncate(end); err != nil {
		return j, err
	}
	if _, err := j.file.Seek(end, 0); err != nil {
		return j, err
	}
	if end == 0 {
		return j, json.NewEncoder(j.file).Encode(h)
	}
	return j, nil
}

// identify says what is tried, the operator's program included.
func (h *head) identify(in *input.Input) error {
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	h.Input = hex.EncodeToString(sum[:])
	path, err := in.Controller.Executable()
	if err != nil {
		return err
	}
	h.Executable, _, err = digest(path)
	return err
}

// read takes the results, and returns how long they are together with the first line; 0 if they
// are of something else.
func (j *journal) read(path string, want head) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, lineMax)
	var is head
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &is) != nil || !reflect.DeepEqual(is, want) {
		return 0, nil
	}
	end := int64(len(lines.Bytes())) + 1
	for lines.Scan() {
		var r campaign.Result
		if json.Unmarshal(lines.Bytes(), &r) != nil || r.ID == "" {
			break
		}
		end += int64(len(lines.Bytes())) + 1
		j.known[r.ID] = &r
	}
	return end, lines.Err()
}

// note writes what became of a sequence. A failure to write costs no more than time.
func (j *journal) note(r *campaign.Result) {
	text, err := json.Marshal(r)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file == nil || r.ID == "" || err != nil || len(text) >= lineMax {
		return
	}
	_, _ = j.file.Write(append(text, '\n'))
}

func (j *journal) close() {
	if j.file != nil {
		_ = j.file.Close()
	}
}
