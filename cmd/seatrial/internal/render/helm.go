package render

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
)

// Chart is what helm is to render.
type Chart struct {
	// Name is a chart as helm takes it: a folder, an archive, repository/chart, a URL.
	Name string
	// Release and Namespace are those of the release; empty are "release-name", as
	// helm has it, and "default", whatever the kubeconfig says.
	Release, Namespace string
	// Values are files, Set are single values, each in helm's order.
	Values, Set []string
}

const releaseDefault = "release-name"

// Helm renders a chart by `helm template`, without the pods of its tests, for the
// version of Kubernetes that is checked. A document
// comes from the template that helm names above it, if the chart is a folder; a chart
// in an archive is that archive.
func Helm(ctx context.Context, c Chart) (manifest.Text, error) {
	none := manifest.Text{}
	for _, word := range []string{c.Name, c.Release} {
		if strings.HasPrefix(word, "-") {
			return none, errorf("--helm: %q begins with a dash, which helm would take for a flag; ./ before a folder helps", line(word))
		}
	}
	program, err := find("helm")
	if errors.Is(err, exec.ErrNotFound) {
		return none, errorf("--helm %s: helm is not in PATH; install it, or pipe what it renders: helm template … | seatrial check -", line(c.Name))
	}
	if err != nil {
		return none, err
	}
	release, namespace := c.Release, c.Namespace
	if release == "" {
		release = releaseDefault
	}
	if namespace == "" {
		namespace = "default"
	}
	arguments := []string{"template", release, c.Name, "--namespace=" + namespace, "--kube-version=" + manifest.KubernetesVersion, "--skip-tests"}
	for _, file := range c.Values {
		arguments = append(arguments, "--values="+file)
	}
	for _, value := range c.Set {
		arguments = append(arguments, "--set="+value)
	}
	text, err := run(ctx, program, arguments...)
	if err != nil {
		return none, err
	}
	name := "<helm " + c.Name + ">"
	if c.Release != "" {
		name = "<helm " + c.Release + " " + c.Name + ">"
	}
	marks := marksOf(text)
	return manifest.Text{
		Name: name, Data: text, Namespace: namespace,
		Origin: func(line int, _ []byte) string { return template(c.Name, marks.before(line)) },
	}, nil
}

// mark is a line of helm's that says which template the document comes from.
type mark struct {
	line int
	path string
}

type marks []mark

// marksOf finds the marks, which stand first in a document. Elsewhere such a line may
// be anything.
func marksOf(text []byte) marks {
	var out marks
	first := true
	number := 0
	for each := range bytes.Lines(text) {
		number++
		if path, is := bytes.CutPrefix(bytes.TrimRight(each, "\r\n"), []byte("# Source: ")); is && first {
			out = append(out, mark{number, string(path)})
		}
		first = bytes.HasPrefix(each, []byte("---"))
	}
	return out
}

// before is the path of the document that a line is in.
func (m marks) before(line int) string {
	after := sort.Search(len(m), func(i int) bool { return m[i].line > line })
	if after == 0 {
		return ""
	}
	return m[after-1].path
}

// template is the file of a template: helm names it by the charts that it is in, the
// first of which is the one that was rendered. A chart inside may be an archive.
func template(chart, path string) string {
	info, err := os.Stat(chart)
	switch {
	case err != nil:
		return "" // it is in a repository
	case !info.IsDir():
		return chart
	}
	if _, inside, ok := strings.Cut(path, "/"); ok && filepath.IsLocal(filepath.FromSlash(inside)) {
		if at := filepath.Join(chart, filepath.FromSlash(inside)); isFile(at) {
			return at
		}
		if dependency, ok := strings.CutPrefix(inside, "charts/"); ok {
			dependency, _, _ = strings.Cut(dependency, "/")
			if at := archive(filepath.Join(chart, "charts"), dependency); at != "" {
				return at
			}
		}
	}
	if at := filepath.Join(chart, "Chart.yaml"); isFile(at) {
		return at
	}
	return ""
}

// archive is the archive of a dependency: its name, a dash and a version.
func archive(directory, name string) string {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return ""
	}
	for _, e := range entries { // in the order of their names
		version, ours := strings.CutPrefix(e.Name(), name+"-")
		if ours && strings.HasSuffix(version, ".tgz") && len(version) > 0 && version[0] >= '0' && version[0] <= '9' {
			return filepath.Join(directory, e.Name())
		}
	}
	return ""
}
