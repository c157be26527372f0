package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// samplesVariable says where the sample controllers are; they are built without.
const samplesVariable = "SEATRIAL_SAMPLES"

// programs are the executables of examples that several tests run. Each is built when the
// first test asks for it, and once.
var programs struct {
	sync.Mutex
	folder string
	built  map[string]error
}

// samples is the program with the sample controllers.
func samples(t *testing.T) string {
	t.Helper()
	if path := os.Getenv(samplesVariable); path != "" {
		return path
	}
	return program(t, "controllers")
}

// program is the executable of the module in a folder of examples.
func program(t *testing.T, name string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	path := filepath.Join(programs.folder, name)
	err, done := programs.built[name]
	if !done {
		build := exec.Command("go", "build", "-buildvcs=false", "-o", path, ".")
		build.Dir = filepath.Join("../../examples", name)
		if out, failed := build.CombinedOutput(); failed != nil {
			err = fmt.Errorf("%w\n%s", failed, out)
		}
		programs.built[name] = err
	}
	if err != nil {
		t.Fatalf("build examples/%s: %v", name, err)
	}
	return path
}

// withPrograms runs the tests with a folder for the programs.
type withPrograms struct{ *testing.M }

func (m withPrograms) Run() int {
	var err error
	if programs.folder, err = os.MkdirTemp("", "seatrial-programs-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	programs.built = map[string]error{}
	code := m.M.Run()
	if err = os.RemoveAll(programs.folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return max(code, 1)
	}
	return code
}
