package render

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// kustomizations are the names of what kustomize reads, as it looks for them.
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// originAnnotation is where kustomize notes where an object came from, if the
// kustomization has buildMetadata: [originAnnotations].
const originAnnotation = "config.kubernetes.io/origin"

// Kustomize renders a folder, by `kustomize build` or else `kubectl kustomize`. Its
// documents come from the file that an origin annotation names, or else from the
// kustomization.
func Kustomize(ctx context.Context, directory string) (manifest.Text, error) {
	none := manifest.Text{}
	top := ""
	for _, name := range kustomizations {
		if at := filepath.Join(directory, name); isFile(at) {
			top = at
			break
		}
	}
	if info, err := os.Stat(directory); err == nil && !info.IsDir() {
		return none, errorf("-k %s: it takes the folder of a kustomization, not a file", line(directory))
	}
	if strings.HasPrefix(directory, "-") {
		return none, errorf("-k %s: it begins with a dash, which kustomize would take for a flag; ./ before it helps", line(directory))
	}
	arguments := []string{"build", directory}
	program, err := find("kustomize")
	if errors.Is(err, exec.ErrNotFound) {
		arguments[0] = "kustomize"
		if program, err = find("kubectl"); errors.Is(err, exec.ErrNotFound) {
			return none, errorf("-k %s: neither kustomize nor kubectl is in PATH; install one, or pipe what it renders: … | seatrial check -", line(directory))
		}
	}
	if err != nil {
		return none, err
	}
	text, err := run(ctx, program, arguments...)
	if err != nil {
		return none, err
	}
	return manifest.Text{
		Name: "<kustomize " + directory + ">", Data: text,
		Origin: func(_ int, raw []byte) string {
			if from := noted(directory, raw); from != "" {
				return from
			}
			return top
		},
	}, nil
}

// noted is the file that an origin annotation names, if it is there. A path is
// relative to the folder that was rendered; what comes from another repository has
// one, too.
func noted(directory string, raw []byte) string {
	var object struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	var origin struct {
		Path         string `json:"path"`
		Repo         string `json:"repo"`
		ConfiguredIn string `json:"configuredIn"`
	}
	text := object.Metadata.Annotations[originAnnotation]
	if text == "" || sigsyaml.Unmarshal([]byte(text), &origin) != nil || origin.Repo != "" {
		return ""
	}
	for _, path := range []string{origin.Path, origin.ConfiguredIn} {
		if path == "" || filepath.IsAbs(path) {
			continue
		}
		if at := filepath.Join(directory, filepath.FromSlash(path)); isFile(at) {
			return at
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
