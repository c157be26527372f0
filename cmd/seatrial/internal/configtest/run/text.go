package run

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Text says what the sources of a module are, those of packages without tests with them: equal texts, equal sources.
func (m *Module) Text() (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(m.Directory, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != m.Directory && m.foreign(file, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || filepath.Ext(file) != ".go" && !slices.Contains([]string{"go.mod", "go.sum", "modules.txt"}, d.Name()):
			return nil
		}
		text, err := os.ReadFile(file)
		_, _ = fmt.Fprintf(h, "%s %d\n", strings.TrimPrefix(file, m.Directory), len(text))
		_, _ = h.Write(text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:10]), err
}

// foreign is for folders that have no packages of the module.
func (m *Module) foreign(folder, name string) bool {
	if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return true
	}
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}
