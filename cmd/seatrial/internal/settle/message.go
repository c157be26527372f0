package settle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/finding"
	reportjson "github.com/seatrial/seatrial/report/json"
)

// Message is what one call of settle.Check has left.
type Message struct {
	// Test is the name of the test, Directory that of its package.
	Test      string `json:"test"`
	Directory string `json:"directory"`
	// Error says why nothing could be searched.
	Error string `json:"error"`
	// States is how many there were when it was last heard of.
	States  int     `json:"states"`
	Seconds float64 `json:"seconds"`
	// Report is nil for one that is not over.
	Report *finding.Report `json:"-"`
}

func (m *Message) over() bool { return m.Report != nil || m.Error != "" }

// read reads the messages in a folder, by directory and test.
func read(folder string) ([]Message, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Message
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if len(text) == 0 {
			continue // it is just made
		}
		var m Message
		var with struct{ Report json.RawMessage }
		if json.Unmarshal(text, &m) != nil || json.Unmarshal(text, &with) != nil {
			return nil, fmt.Errorf("%s was not written by settle.Check: are the library and the command of the same release?", file)
		}
		if len(with.Report) > 0 {
			if m.Report, err = reportjson.Read(bytes.NewReader(with.Report)); err != nil {
				return nil, fmt.Errorf("the report of %s: %w: are the library and the command of the same release?", m.Test, err)
			}
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Message) int {
		return strings.Compare(a.Directory+"\x00"+a.Test, b.Directory+"\x00"+b.Test)
	})
	return all, nil
}
