package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestFolders: each sample has a folder with two experiments that differ in their name
// and in which form they run, and nothing else, and each folder has a sample.
func TestFolders(t *testing.T) {
	experiments, err := filepath.Glob("*/experiment.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(experiments) != len(samples)+1 { // and the one in Python
		t.Errorf("%d folders with experiments, and %d samples", len(experiments), len(samples))
	}
	for _, buggy := range experiments {
		folder := filepath.Dir(buggy)
		command := "[../controllers, " + folder + ", buggy]"
		if folder == "python" {
			command = "[python3, controller.py, buggy]"
		} else if _, ok := samples[folder]; !ok {
			t.Errorf("%s is no sample", folder)
		}
		text := read(t, buggy)
		if !strings.Contains(text, "\n  command: "+command+"\n") {
			t.Errorf("%s does not run %s", buggy, command)
		}
		name := strings.SplitN(strings.SplitN(text, "{name: ", 2)[1], "}", 2)[0]
		want := strings.Replace(text, "{name: "+name+"}", "{name: "+name+"-fixed}", 1)
		want = strings.Replace(want, ", buggy]", ", fixed]", 1)
		if fixed := filepath.Join(folder, "fixed.yaml"); read(t, fixed) != want {
			t.Errorf("%s differs from %s in more than its name and the form", fixed, buggy)
		}
		for _, file := range []string{buggy, filepath.Join(folder, "crd.yaml")} {
			if err := yaml.UnmarshalStrict([]byte(read(t, file)), &map[string]any{}); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// TestUsage: whoever asks for what there is not is told what there is.
func TestUsage(t *testing.T) {
	for _, arguments := range [][]string{nil, {"stale-finalizer"}, {"stale-finalizer", "good"}, {"other", "buggy"}} {
		err := run(t.Context(), arguments)
		if err == nil || !strings.Contains(err.Error(), "edge-trigger, informer-lag") {
			t.Errorf("%q gives %v", arguments, err)
		}
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
