package run

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Copy makes a folder in which a module seems to be, with other files instead of some of its own. Folders are real, so
// that .. leads where it leads in the module; files are links to those of the module. What a test writes into such a
// file, it writes into the module, as it does without us. A link of the module to something in it leads to the same
// place of the copy: a file is the other one by each path to it.
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
		case d.Type()&fs.ModeSymlink != 0:
			if real, err := filepath.EvalSymlinks(file); err == nil {
				if within, err := filepath.Rel(m.Directory, real); err == nil && filepath.IsLocal(within) {
					file = filepath.Join(folder, within)
				}
			}
		}
		return os.Symlink(file, to)
	})
	if err != nil {
		return err
	}
	for name, text := range files {
		if name = filepath.FromSlash(name); !filepath.IsLocal(name) {
			continue // it is outside of the module
		}
		if err := put(folder, name, text); err != nil {
			return err
		}
	}
	return nil
}

// put makes a file of a copy another one. No link to what is outside of the copy is followed: what is there is the
// user's.
func put(folder, name string, text []byte) error {
	at := folder
	for left := strings.Split(name, string(filepath.Separator)); len(left) > 0; {
		to := filepath.Join(at, left[0])
		left = left[1:]
		link, err := os.Readlink(to)
		if within, out := filepath.Rel(folder, link); err == nil && out == nil && filepath.IsLocal(within) {
			at, left = folder, append(strings.Split(within, string(filepath.Separator)), left...)
			continue
		}
		switch {
		case len(left) > 0:
			err = realFolder(to)
		case err == nil:
			err = os.Remove(to)
		default:
			err = nil
		}
		if err != nil {
			return err
		}
		at = to
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// realFolder makes sure that there is a folder at a path. If that is a link to one, it has links to what is there.
func realFolder(path string) error {
	link, err := os.Readlink(path)
	if err != nil { // it is none
		return os.MkdirAll(path, 0o700)
	}
	entries, err := os.ReadDir(link)
	if err != nil {
		return err
	}
	if err := errors.Join(os.Remove(path), os.Mkdir(path, 0o700)); err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(link, e.Name()), filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
