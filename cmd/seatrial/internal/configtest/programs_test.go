package configtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// sidecar is a pod with two containers, of which the second one has an image.
const sidecar = `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - name: proxy
    image: registry.example.com/proxy:1
    args: [--level=%s]
    env: [{name: ZONE, value: %[1]s}]
  - name: main
    %s
    args: [--level=%[1]s]
`

// TestOtherPrograms: what is told to containers of other images is left out, and said, where one has the image that is
// called as the module, or as one of its commands.
func TestOtherPrograms(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "cmd", "shopd"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &session{module: &run.Module{Path: "example.com/shop/v2", Directory: folder}}
	const other = "it is told to another program, registry.example.com/proxy"
	for image, want := range map[string][]string{
		"image: registry.example.com/shop:2": {"Pod a proxy --level " + other, "Pod a proxy ZONE " + other, "Pod a main --level"},
		"image: shopd@sha256:12":             {"Pod a proxy --level " + other, "Pod a proxy ZONE " + other, "Pod a main --level"},
		"image: registry.example.com/web":    {"Pod a proxy --level", "Pod a proxy ZONE", "Pod a main --level"},
		"resources: {}":                      {"Pod a proxy --level", "Pod a proxy ZONE", "Pod a main --level"},
	} {
		var versions [2]Version
		for i, level := range []string{"low", "high"} {
			var err error
			if versions[i].Settings, err = change.Parse("a.yaml", fmt.Appendf(nil, sidecar, level, image)); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, c := range s.ownOnly(&versions[0], &versions[1]) {
			got = append(got, c.In+" "+c.Path+" "+c.Unknown)
		}
		for _, c := range change.Between(versions[0].Settings, versions[1].Settings) {
			got = append(got, c.In+" "+c.Path)
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %s there are %q, want %q", image, got, want)
		}
	}
}
