package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/iostreams"
	"github.com/seatrial/seatrial/controlplane"
	"github.com/seatrial/seatrial/internal/pace"
)

// exported are operators of examples/settle, with the expressions for what fails and what is mended, and
// what the test says of the former. Their traces are in testdata/settle: those that settle keeps.
var exported = []struct{ name, buggy, fixed, says string }{
	{"generatedname", "config(Buggy)", "config(Fixed)", "there are 2 secrets, and"},
	{"edgetriggered", "config(Buggy())", "config(Fixed())", `secrets "shop" not found`},                                          // by a cache that is behind
	{"fight", "config(Buggy, sizing, security)", "config(Fixed, sizing, security)", "it goes on for ever: default/shop: tls is"}, // of two processes
	{"unconditional", "config(Buggy)", "config(Fixed)", "database guarantees: it deletes what it has read"},
	{"evicted", "config(Buggy)", "config(Fixed)", "none of 1 pods runs"},                                                   // by a kubelet; the pod's name is drawn by the operator
	{"leak", "config(Buggy, settle.Faults{})", "config(Fixed, settle.Faults{})", "the cloud still has map[bucket-1:true]"}, // of a model of what is outside
	{"byname", "config(Buggy, late)", "config(Fixed, late)", "the volume of shop is in use"},                               // of what is late, and of what admission protects
}

// TestExportedTest: a trace as a Go test fails on a real API server while the mistake is there, and
// passes without it.
func TestExportedTest(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	operatorModule(t, folder)
	examples, err := filepath.Abs("../../examples/settle")
	if err != nil {
		t.Fatal(err)
	}
	build := []string{"test", "-c", "-o", folder}
	for _, of := range exported {
		at := filepath.Join(folder, of.name)
		if err := os.CopyFS(at, os.DirFS(filepath.Join(examples, of.name))); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join("testdata/settle", of.name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		for name, config := range map[string]string{"Buggy": of.buggy, "Fixed": of.fixed} {
			kept := filepath.Join(at, "testdata/settle", name+".json")
			write(t, kept, string(text), 0o600)
			write(t, filepath.Join(at, "regression_"+name+"_test.go"), export(t, "--config="+config, kept), 0o600)
		}
		build = append(build, "./"+of.name)
	}
	cmd := exec.Command("go", build...)
	cmd.Dir = folder
	if all, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, all)
	}
	for _, of := range exported {
		for name, says := range map[string]string{"Buggy": of.says, "Fixed": "PASS"} {
			t.Run(of.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				cmd := exec.Command(filepath.Join(folder, of.name+".test"), "-test.run=^TestRegression"+name+"$")
				cmd.Dir, cmd.Env = filepath.Join(folder, of.name), append(os.Environ(), "KUBECONFIG="+planeWith(t, "", alone).Kubeconfig)
				if all, err := cmd.CombinedOutput(); (err == nil) != (name == "Fixed") || !strings.Contains(string(all), says) {
					t.Errorf("%v, want one that says %q:\n%s", err, says, all)
				}
			})
		}
	}
}

// alone is an API server without controllers, as that of envtest.
func alone(o *controlplane.Options) {
	o.Spec.Controllers = []string{"-*"}
	o.Spec.APIServer = map[string]string{"disable-admission-plugins": "ServiceAccount"}
}

// export is the test that a trace is exported as.
func export(t *testing.T, args ...string) string {
	t.Helper()
	streams, out, said := iostreams.Test("", iostreams.Terminal{Env: map[string]string{"LANG": "C.UTF-8"}})
	if code := cli.Main(append([]string{"seatrial", "settle", "export"}, args...), streams, trials()); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	return out.String()
}
