package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
)

// TestExportedTest: a trace as a Go test fails on a real API server while the mistake is there, and
// passes without it.
func TestExportedTest(t *testing.T) {
	folder := t.TempDir()
	operatorModule(t, folder)
	for _, test := range []struct {
		way  string
		says string
	}{
		{"Buggy", "there are 2 secrets, and"},
		{"Fixed", "ok  "},
	} {
		streams, out, said := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
		args := []string{"seatrial", "settle", "export", "--config=config(" + test.way + ")", "--reconciler=&Reconciler{c, " + test.way + "}", filepath.Join(folder, "internal/controller/testdata/settle/TestBuggy.json")}
		if code := cli.Main(args, streams, trials()); code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
		write(t, filepath.Join(folder, "internal/controller/regression_test.go"), out.String(), 0o600)
		cmd := exec.Command("go", "test", "-count=1", "-run=TestRegressionBuggy", "./internal/controller")
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "KUBECONFIG="+planeWith(t, "").Kubeconfig)
		if all, err := cmd.CombinedOutput(); (err == nil) != (test.way == "Fixed") || !strings.Contains(string(all), test.says) {
			t.Errorf("%s: %v, want one that says %q:\n%s", test.way, err, test.says, all)
		}
	}
}
