package death

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/klog/v2"
)

// dying is the environment variable that has this binary be a process that dies
// in the way it names.
const dying = "SEATRIAL_TEST_DYING"

func TestMain(m *testing.M) {
	how, directory := os.Getenv(dying), os.Getenv(dying+"_DIRECTORY")
	if how == "" {
		os.Exit(m.Run())
	}
	file, err := os.Create(filepath.Join(directory, "log"))
	if err != nil {
		panic(err)
	}
	d := &Death{Err: os.Stderr, Clean: func() error { return os.RemoveAll(directory) }}
	if how == "unclean" {
		d.Clean = func() error { return errors.New("it is busy") }
	}
	d.Log(file)
	klog.Error("just an error")
	switch how {
	case "exit":
		klog.FlushAndExit(klog.ExitFlushTimeout, 7)
	case "twice":
		go d.Of("first")
		d.Of("first")
	default:
		klog.Fatalf("out of %s", "luck")
	}
	fmt.Println("it went on")
}

// TestDeath: whatever ends the process, it says why in one line, its code is the
// one of a failure, and it leaves nothing.
func TestDeath(t *testing.T) {
	cases := []struct {
		how, said string
		left      bool
	}{
		{"fatal", "seatrial-controlplane: out of luck\n", false},
		{"exit", "seatrial-controlplane: a part of it exits with code 7\n", false},
		{"twice", "seatrial-controlplane: first\n", false},
		{"unclean", "seatrial-controlplane: out of luck\nseatrial-controlplane: it is busy\n", true},
	}
	for _, c := range cases {
		t.Run(c.how, func(t *testing.T) {
			directory := filepath.Join(t.TempDir(), "own")
			if err := os.Mkdir(directory, 0o700); err != nil {
				t.Fatal(err)
			}
			process := exec.Command(os.Args[0])
			process.Env = append(os.Environ(), dying+"="+c.how, dying+"_DIRECTORY="+directory)
			var out, stderr bytes.Buffer
			process.Stdout, process.Stderr = &out, &stderr
			err := process.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != Code {
				t.Errorf("it ended with %v", err)
			}
			if stderr.String() != c.said || out.Len() > 0 {
				t.Errorf("it said %q and %q, want %q", out.String(), stderr.String(), c.said)
			}
			if _, err := os.Stat(directory); (err == nil) != c.left {
				t.Errorf("the directory: %v", err)
			}
			if !c.left {
				return
			}
			logged, err := os.ReadFile(filepath.Join(directory, "log"))
			if err != nil || !strings.Contains(string(logged), "just an error") || !strings.Contains(string(logged), "out of luck") {
				t.Errorf("logged: %s, %v", logged, err)
			}
		})
	}
}
