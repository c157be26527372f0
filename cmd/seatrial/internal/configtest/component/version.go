package component

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/render"
	"github.com/seatrial/seatrial/finding"
)

// Manifests name one version: a file or a folder of manifests, a chart, a folder of kustomize, or any of them as git
// has it, REV:path.
type Manifests struct {
	Name string
	// Values are files for a chart. Of one that git has, they are git's, too, at the same revision.
	Values []string
	// Release and Namespace are those of a chart.
	Release, Namespace string
}

// version is one that was read.
type version struct {
	objects change.Objects
	// sources are what people edit to change it, in the order in which one is above another.
	sources []source
	// templates are what a chart makes objects of.
	templates []source
	// origin is which file a line of what was rendered comes from; nil where what is read is what people edit.
	origin func(line int) string
	// name is what a file is called, in locations and errors.
	name func(file string) string
}

// source is a file that people edit; key is what both versions call it.
type source struct{ key, name, full string }

// load reads a version. work is a folder of ours, for what git has.
func (m Manifests) load(ctx context.Context, work string) (*version, error) {
	v := &version{name: func(file string) string { return file }}
	at, values := m.Name, m.Values
	if _, err := os.Stat(m.Name); err != nil {
		revision, path, is := strings.Cut(m.Name, ":")
		if !is || revision == "" || path == "" || strings.HasPrefix(revision, "-") {
			return nil, fmt.Errorf("%s: there is no such file or folder: name one of manifests, a chart or a kustomization, or REV:path for one of git's", m.Name)
		}
		below, err := checkout(ctx, revision, work)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		// Paths are from the root of the repository; those of values are as the user has them, from where he is.
		at, values = filepath.Join(work, path), nil
		if strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../") {
			at = filepath.Join(work, below, path)
		}
		for _, file := range m.Values {
			values = append(values, filepath.Join(work, below, file))
		}
		v.name = func(file string) string {
			return strings.ReplaceAll(file, work+string(filepath.Separator), revision+":")
		}
	}
	m.Name, m.Values = at, values
	if err := v.read(ctx, m); err != nil {
		return nil, errors.New(v.name(err.Error()))
	}
	if v.objects.Number() == 0 {
		return nil, fmt.Errorf("%s: there are no objects of Kubernetes in it", v.name(at))
	}
	return v, nil
}

// checkout writes all files of a revision into a folder. Nothing of the repository is changed: git's index is one of
// ours. below is where in the repository the current folder is.
func checkout(ctx context.Context, revision, folder string) (below string, err error) {
	git := func(environment []string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Env = append(os.Environ(), environment...)
		said, err := cmd.CombinedOutput()
		if err != nil {
			why, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n")
			return "", fmt.Errorf("git does not have it: %s", strings.TrimPrefix(why, "fatal: "))
		}
		return strings.TrimSpace(string(said)), nil
	}
	top, err := git(nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	if below, err = git(nil, "rev-parse", "--show-prefix"); err != nil {
		return "", err
	}
	index := []string{"GIT_INDEX_FILE=" + folder + ".index"}
	if _, err = git(index, "-C", top, "read-tree", "--end-of-options", revision); err != nil {
		if _, err = git(index, "-C", top, "read-tree", revision+"^{tree}"); err != nil { // a git that does not know the option
			return "", err
		}
	}
	_, err = git(index, "-C", top, "checkout-index", "--all", "--quiet", "--prefix="+folder+string(filepath.Separator))
	return below, err
}

// read renders what has to be rendered.
func (v *version) read(ctx context.Context, m Manifests) error {
	if chart := filepath.Join(m.Name, "Chart.yaml"); isFile(chart) {
		text, err := render.Helm(ctx, render.Chart{Name: m.Name, Release: m.Release, Namespace: m.Namespace, Values: m.Values})
		if err != nil {
			return err
		}
		v.sources = v.folder(m.Name, m.Name, "templates")
		v.templates = v.folder(m.Name, filepath.Join(m.Name, "templates"), "")
		for i, file := range m.Values {
			v.sources = append(v.sources, source{fmt.Sprintf("values %d", i), v.name(file), file})
		}
		return v.rendered(text)
	}
	if len(m.Values) > 0 {
		return fmt.Errorf("%s: values are for a chart, and this is none: there is no Chart.yaml in it", m.Name)
	}
	for _, name := range kustomizations {
		if isFile(filepath.Join(m.Name, name)) {
			text, err := render.Kustomize(ctx, m.Name)
			if err != nil {
				return err
			}
			v.kustomized(m.Name, m.Name, map[string]bool{})
			return v.rendered(text)
		}
	}
	return filepath.WalkDir(m.Name, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case file != m.Name && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)):
			return nil
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return v.objects.Add(v.name(file), text, "")
	})
}

// rendered takes what a program has made.
func (v *version) rendered(text manifest.Text) error {
	v.origin = func(line int) string { return text.Origin(line, nil) }
	return v.objects.Add(text.Name, text.Data, "")
}

// kustomizations are the names of the file that kustomize reads in a folder.
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

// kustomized adds the files of a folder, and below them those of folders that it builds on.
func (v *version) kustomized(top, folder string, seen map[string]bool) {
	if seen[folder] {
		return
	}
	seen[folder] = true
	for _, name := range kustomizations {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		for _, on := range builtOn(text) {
			if below := filepath.Join(folder, on); isFolder(below) {
				v.kustomized(top, below, seen)
			}
		}
	}
	v.sources = append(v.sources, v.folder(top, folder, "")...)
}

// folder are the files of a folder, but for one folder in it.
func (v *version) folder(top, folder, without string) (out []source) {
	_ = filepath.WalkDir(folder, func(file string, d fs.DirEntry, err error) error { // what cannot be read is no source
		switch {
		case err != nil || file == folder:
			return err
		case d.IsDir() && (d.Name() == without || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || d.Name() == "Chart.yaml":
			return nil
		}
		if key, err := filepath.Rel(top, file); err == nil {
			out = append(out, source{key, v.name(file), file})
		}
		return nil
	})
	return out
}

// settings are what a source says; none if it says nothing that can be read.
func (s source) settings() []change.Setting {
	const most = 1 << 20
	info, err := os.Stat(s.full)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	text, err := os.ReadFile(s.full)
	if err != nil {
		return nil
	}
	all, err := change.Parse(s.full, text)
	if err != nil {
		return nil
	}
	for i := range all {
		all[i].Location.File = s.name
	}
	return all
}

// place is where a line of what was read is: the file that it comes from, with the line if that is known.
func (v *version) place(at finding.Location) finding.Location {
	if v.origin == nil {
		return at
	}
	from := v.origin(at.Line)
	if from == "" {
		return at
	}
	return finding.Location{File: v.name(from)}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
