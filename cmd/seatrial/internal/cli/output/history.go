package output

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/history"
)

// HistoriesFlag adds the flag of the folder that histories are written to, of the runs that which names.
func HistoriesFlag(flags *pflag.FlagSet, to *string, which string) {
	flags.StringVar(to, "histories", "", "write what was written to the API server to this `FOLDER`, a file for "+which+"; seatrial spec --history reads them, or the report that names them")
}

// WriteHistory writes a history to a file, an event a line.
func WriteHistory(file string, events []history.Event) error {
	var b bytes.Buffer
	for _, e := range events {
		if err := history.Encode(&b, e); err != nil {
			return fmt.Errorf("write %s: %w", file, err)
		}
	}
	return WriteFile(file, b.Bytes())
}

// WriteHistories writes histories to a folder, each to a file with its name, and returns the files. Without a folder it
// does nothing.
func WriteHistories(folder string, all iter.Seq2[string, []history.Event]) (files []string, err error) {
	if folder == "" {
		return nil, nil
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for name, events := range all {
		file := filepath.Join(folder, name+".jsonl")
		if err := WriteHistory(file, events); err != nil {
			return files, err
		}
		files = append(files, filepath.ToSlash(file))
	}
	return files, nil
}
