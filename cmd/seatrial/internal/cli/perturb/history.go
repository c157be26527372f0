package perturb

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/output"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/perturb"
	"github.com/seatrial/seatrial/history"
)

// historyFlag adds the flag of the folder for histories.
func historyFlag(flags *pflag.FlagSet, to *string) {
	flags.StringVar(to, "histories", "", "write what was written to the API server to this `FOLDER`, a file for each run without a perturbation and each plan that failed; seatrial spec --history reads them")
}

// keepHistories writes a file for each run that there is something to learn from.
func keepHistories(folder string, o *perturb.Outcome) error {
	if folder == "" {
		return nil
	}
	failed := os.MkdirAll(folder, 0o700)
	for name, events := range o.Histories() {
		if failed != nil {
			break
		}
		var b bytes.Buffer
		for _, e := range events {
			failed = errors.Join(failed, history.Encode(&b, e))
		}
		if failed == nil {
			failed = output.WriteFile(filepath.Join(folder, name+".jsonl"), b.Bytes())
		}
	}
	if failed != nil {
		return fmt.Errorf("histories: %w", failed)
	}
	return nil
}
