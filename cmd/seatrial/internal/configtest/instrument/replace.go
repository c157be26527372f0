package instrument

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// replaced lets the go command take our copies: by a go.mod beside that of the module, or by a go.work if the module is
// in a workspace, for which there is no such flag.
func (p *preparing) replaced(ctx context.Context) error {
	said, err := p.module.Command(ctx, nil, "env", "GOWORK", "GOMOD")
	if err != nil {
		return err
	}
	lines := strings.Split(string(said), "\n")
	if workspace := strings.TrimSpace(lines[0]); workspace != "" && workspace != "off" {
		return p.workspace(ctx, workspace)
	}
	mod := strings.TrimSpace(lines[1])
	ours := filepath.Join(p.work, "go.mod")
	if err := copyFile(mod, ours); err != nil {
		return err
	}
	if err := copyFile(strings.TrimSuffix(mod, ".mod")+".sum", filepath.Join(p.work, "go.sum")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	args := []string{"mod", "edit"}
	for _, r := range p.replace {
		args = append(args, "-replace="+r.path+"="+r.folder)
	}
	if _, err := p.module.Command(ctx, []string{"GOWORK=off"}, append(args, ours)...); err != nil {
		return err
	}
	p.plan.Flags = append(p.plan.Flags, "-modfile="+ours)
	return nil
}

// workspace adds our copies to the go.work that the module has by now, which is one of ours.
func (p *preparing) workspace(ctx context.Context, file string) error {
	ours := filepath.Join(p.work, "go.work")
	if err := copyFile(file, ours); err != nil {
		return err
	}
	if err := copyFile(file+".sum", ours+".sum"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var args []string
	for _, r := range p.replace {
		args = append(args, "-replace="+r.path+"="+r.folder)
	}
	if _, err := p.module.Command(ctx, nil, append(append([]string{"work", "edit"}, args...), ours)...); err != nil {
		return err
	}
	p.plan.Environment = append(p.plan.Environment, "GOWORK="+ours)
	return nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}
