package run

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Standing is what there is of a module before its tests run: what they make beside it, or write to, is theirs.
type Standing struct {
	module *Module
	files  map[string]string // with what is another one where somebody has written to it
	left   []string          // folders that git is told to leave alone: what programs make
}

// Standing looks at the files of the module.
func (m *Module) Standing(ctx context.Context) *Standing {
	s := &Standing{module: m, files: map[string]string{}}
	_ = filepath.WalkDir(m.Directory, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is not there for tests either
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case !d.IsDir():
			s.files[file] = written(file)
		}
		return nil
	})
	git := exec.CommandContext(ctx, "git", "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	git.Dir, git.Env = m.Directory, m.Environment
	said, err := git.Output()
	for folder := range strings.SplitSeq(string(said), "\x00") {
		if below, is := strings.CutSuffix(folder, "/"); err == nil && is && below != "." { // all of it is nobody's
			s.left = append(s.left, filepath.Join(m.Directory, filepath.FromSlash(below))+string(filepath.Separator))
		}
	}
	return s
}

// Made tells whether a file, as a path from the root of the module, is there because of its tests. One that is not
// there is none: somebody may have looked for it.
func (s *Standing) Made(below string) bool {
	file := filepath.Join(s.module.Directory, filepath.FromSlash(below))
	now := written(file)
	if now == "" {
		return false
	}
	for _, folder := range s.left {
		if strings.HasPrefix(file, folder) {
			return true
		}
	}
	return s.files[file] != now
}

// written is another text when somebody has written to a file; empty if there is none.
func written(file string) string {
	info, err := os.Stat(file)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano())
}
