package campaign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/history"
)

// findingFolder is where the resources of findings are written.
type findingFolder struct {
	runs string
	in   *input.Input
}

// write writes the custom resource as it is applied, one file for each time: the seed first.
// What it refers to stands before it. The folder is begun anew.
func (f findingFolder) write(number int, one *campaign.Finding) (string, error) {
	if f.runs == "" {
		return "", errors.New("no runs are kept")
	}
	folder := filepath.Join(f.runs, "findings", fmt.Sprintf("%s-%d", fileName(f.in.Name), number+1))
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	for i, resource := range one.Resources(f.in.Seed) {
		name, comment, objects := "seed", "the seed", []history.Object(nil)
		if i > 0 {
			operation := one.Operations[i-1]
			name, comment, objects = fileName(operation.Property), operation.Name, operation.Objects
		}
		text := "# " + strings.ReplaceAll(comment, "\n", " ") + "\n"
		for j, o := range append(objects[:len(objects):len(objects)], resource) {
			document, err := yaml.Marshal(o)
			if err != nil {
				return "", err
			}
			if j > 0 {
				text += "---\n"
			}
			text += string(document)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%02d-%s.yaml", i, name)), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return folder, nil
}
