package configtest

import "testing"

// TestConfiguration: which files of a module may be configurations, by their names.
func TestConfiguration(t *testing.T) {
	for file, want := range map[string]bool{
		"deploy/config.yaml": true, "app.env": true, "config/testdata/good.yml": false, "testdata/a/b.json": false, "testdatas/a.toml": true, "main.go": false,
	} {
		if got := configuration(file); got != want {
			t.Errorf("%s: %v, want %v", file, got, want)
		}
	}
}
