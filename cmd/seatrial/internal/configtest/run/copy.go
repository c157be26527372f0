package run

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Copy makes a folder in which a module seems to be, with other files instead of some of its own. Folders are real, so that .. leads
// where it leads in the module; files are links to those of the module. What a test writes into such a file, it writes into
// the module, as it does without us.
func (m *Module) Copy(folder string, files map[string][]byte) error {
	err := filepath.WalkDir(m.Directory, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		below, err := filepath.Rel(m.Directory, file)
		if err != nil {
			return err
		}
		to := filepath.Join(folder, below)
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			if err := os.Symlink(file, to); err != nil {
				return err
			}
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o700)
		}
		if _, other := files[filepath.ToSlash(below)]; other {
			return nil
		}
		return os.Symlink(file, to)
	})
	if err != nil {
		return err
	}
	for name, text := range files {
		to := filepath.Join(folder, filepath.FromSlash(name))
		if !strings.HasPrefix(to, folder+string(filepath.Separator)) {
			continue // it is outside of the module
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			return err
		}
	}
	return nil
}
