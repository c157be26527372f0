package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/process/supervisor"
)

// find is the absolute path of the program, which is a file that may be executed.
func find(o Options) (string, error) {
	if len(o.Command) == 0 || o.Command[0] == "" {
		return "", fmt.Errorf("the controller has no command: %w; say which program it is", ErrNotFound)
	}
	if o.Directory != "" {
		if info, err := os.Stat(o.Directory); err != nil {
			return "", fmt.Errorf("working directory of the controller: %w", err)
		} else if !info.IsDir() {
			return "", fmt.Errorf("working directory of the controller: %s is a file", o.Directory)
		}
	}
	name := o.Command[0]
	if !strings.ContainsRune(name, '/') {
		return findInPath(name, o)
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(o.Directory, path)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("controller %s: %w", name, err)
	}
	return path, executable(name, path)
}

// findInPath looks in the PATH that the program will have, as a shell does. A relative
// folder in it is relative to the working directory.
func findInPath(name string, o Options) (string, error) {
	var refused error
	for _, folder := range filepath.SplitList(value(o.Environment, "PATH")) {
		if !filepath.IsAbs(folder) {
			folder = filepath.Join(o.Directory, folder)
		}
		path, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		switch err := executable(name, path); {
		case err == nil:
			return path, nil
		case errors.Is(err, ErrNotExecutable) && refused == nil:
			if info, statErr := os.Stat(path); statErr == nil && !info.IsDir() {
				refused = err
			}
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("controller %s: %w in any folder of PATH; install or build it, or give its path (./%s is in the working directory)", name, ErrNotFound, name)
}

// executable says what is wrong with a file as a program; nil if nothing is known to be.
func executable(name, path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("controller %s: %w: there is no file %s; build it first, or correct the command", name, ErrNotFound, path)
	case err != nil:
		return fmt.Errorf("controller %s: %w", name, err)
	case info.IsDir():
		return fmt.Errorf("controller %s: %w: %s is a folder; give the program in it", name, ErrNotExecutable, path)
	}
	if _, err := exec.LookPath(path); err != nil {
		return fmt.Errorf("controller %s: %w: %s has no permission for it (chmod +x), or is no program", name, ErrNotExecutable, path)
	}
	return nil
}

// notStarted says what to do about a program that the system would not execute.
func notStarted(o Options, path string, err error) error {
	var refused *refusedError
	if !errors.As(err, &refused) {
		return fmt.Errorf("start controller %s: %w", o.Command[0], err)
	}
	switch refused.kind {
	case supervisor.Format:
		return fmt.Errorf("controller %s: %w: %s is a program of another system or processor, or a script without a #! line", o.Command[0], ErrNotExecutable, path)
	case supervisor.Missing:
		return fmt.Errorf("controller %s: %w: %s is there, but the interpreter of its #! line or its loader is not; install that", o.Command[0], ErrNotExecutable, path)
	case supervisor.Forbidden:
		return fmt.Errorf("controller %s: %w: the system refuses to run %s (%s): its file system may be mounted noexec", o.Command[0], ErrNotExecutable, path, refused.text)
	}
	return fmt.Errorf("start controller %s (%s): %s", o.Command[0], path, refused.text)
}
