package controlplane

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Executable is the environment variable with the path of the executable.
const Executable = "SEATRIAL_CONTROLPLANE"

const executableName = "seatrial-controlplane"

// find gives the path of the executable: given, or else of the environment, or
// else beside the one that runs, or else in PATH.
func find(given string) (string, error) {
	beside := ""
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		beside = filepath.Dir(own)
	}
	return locate(given, os.Getenv(Executable), beside)
}

func locate(given, environment, beside string) (string, error) {
	from := "the options"
	if given == "" {
		given, from = environment, Executable
	}
	if given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", fmt.Errorf("the control plane that %s names: %w", from, err)
		}
		return filepath.Abs(path)
	}
	name := executableName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if path, err := exec.LookPath(filepath.Join(beside, name)); err == nil && beside != "" {
		return path, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no %s, neither in %s nor in PATH: get it from a release of seatrial, or build cmd/seatrial-controlplane in a clone, and name it in %s if it is elsewhere", name, beside, Executable)
	}
	return path, nil
}
