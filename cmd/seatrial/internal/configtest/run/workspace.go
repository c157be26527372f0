package run

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// isolate finds out which Go builds the module, has nothing written there, and has the go command use a copy of the
// go.work that the module is in, if it is in one: beside that it writes a go.work.sum, whatever it is asked.
func (m *Module) isolate(ctx context.Context, work string) error {
	said, err := m.Command(ctx, nil, "env", "GOWORK", "GOROOT", "GOFLAGS", "GOTMPDIR")
	if err != nil {
		return err
	}
	told := append(strings.Split(string(said), "\n"), "", "", "", "")
	file := strings.TrimSpace(told[0])
	m.Root = strings.TrimSpace(told[1])
	m.settled(strings.TrimSpace(told[2]), strings.TrimSpace(told[3]), work)
	if file == "" || file == "off" {
		return nil
	}
	if said, err = m.Command(ctx, nil, "work", "edit", "-json", file); err != nil {
		return err
	}
	args, err := absoluteUses(said, filepath.Dir(file))
	if err != nil {
		return err
	}
	ours := filepath.Join(work, "go.work")
	for from, to := range map[string]string{file: ours, file + ".sum": ours + ".sum"} {
		text, err := os.ReadFile(from)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err != nil {
			return err
		}
	}
	if _, err := m.Command(ctx, nil, append(append([]string{"work", "edit"}, args...), ours)...); err != nil {
		return err
	}
	m.Environment, m.work = append(m.Environment[:len(m.Environment):len(m.Environment)], "GOWORK="+ours), ours
	return nil
}

// language is what the go.mod, or the go.work, says of how programs behave: which Go they are written for, and what is
// as it was before.
func (m *Module) language() (string, error) {
	text, err := os.ReadFile(cmp.Or(m.work, filepath.Join(m.Directory, "go.mod")))
	if err != nil {
		return "", err
	}
	var all []string
	block := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == ")":
			block = ""
		case len(words) == 2 && words[1] == "(":
			block = words[0]
		case block == "godebug" || block == "" && (words[0] == "go" || words[0] == "godebug"):
			all = append(all, strings.TrimPrefix(strings.Join(words, " "), "godebug "))
		}
	}
	return strings.Join(all, "\n"), nil
}

// absoluteUses are the changes of a go.work that let it be in another folder.
func absoluteUses(described []byte, folder string) ([]string, error) {
	var work struct {
		Use     []struct{ DiskPath string }
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(described, &work); err != nil {
		return nil, err
	}
	args := []string{"-fmt"}
	for _, u := range work.Use {
		if !filepath.IsAbs(u.DiskPath) {
			args = append(args, "-dropuse="+u.DiskPath, "-use="+filepath.Join(folder, u.DiskPath))
		}
	}
	for _, r := range work.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		args = append(args, "-replace="+old+"="+filepath.Join(folder, r.New.Path))
	}
	return args, nil
}
