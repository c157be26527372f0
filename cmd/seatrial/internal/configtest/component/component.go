// Package component compares what the programs of several Go modules are told by two versions of manifests: which
// image is built from which module is in a small file; manifests are rendered as they are for a cluster, and what of
// them a program sees is found container by container.
package component

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Component is a program, with the module that it is built from.
type Component struct {
	// Name is what it is called in reports; the last part of the image, if the file says nothing.
	Name string `yaml:"name"`
	// Image is a repository: no tag, no digest.
	Image string `yaml:"image"`
	// Module is the folder of the Go module. In the file it is relative to the file.
	Module string `yaml:"module"`
	// Packages are patterns of those whose tests are run.
	Packages []string `yaml:"packages"`
	// Main is the package of the program: what is started, and what it imports is its code.
	Main string `yaml:"main"`
	// Config is the flag (--config), or the variable, that names the file with its configuration.
	Config string `yaml:"config"`
}

// Version is that of the file.
const Version = "seatrial.dev/v1alpha1"

// Read reads a file of components.
func Read(file string) ([]Component, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: there is no such file: it says which image is built from which module", file)
	}
	var all struct {
		APIVersion string      `yaml:"apiVersion"`
		Kind       string      `yaml:"kind"`
		Components []yaml.Node `yaml:"components"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&all); err != nil {
		return nil, fmt.Errorf("%s: this is no file of components: %s", file, oneLine(err))
	}
	if all.APIVersion != Version || all.Kind != "Components" {
		return nil, fmt.Errorf("%s:1: it is %q of %q: write kind: Components and apiVersion: %s", file, all.Kind, all.APIVersion, Version)
	}
	if len(all.Components) == 0 {
		return nil, fmt.Errorf("%s:1: it has no components: say of each its image and its module", file)
	}
	var out []Component
	lines := map[string]int{}
	for _, n := range all.Components {
		c, err := read(file, n)
		if err != nil {
			return nil, err
		}
		for what, name := range map[string]string{"image": c.Image, "name": c.Name} {
			if line, again := lines[what+" "+name]; again {
				return nil, fmt.Errorf("%s:%d: the %s %s is on line %d, too: each has one component", file, n.Line, what, name, line)
			}
			lines[what+" "+name] = n.Line
		}
		out = append(out, c)
	}
	return out, nil
}

// read reads one.
func read(file string, n yaml.Node) (Component, error) {
	var c Component
	text, err := yaml.Marshal(&n)
	if err == nil {
		d := yaml.NewDecoder(bytes.NewReader(text))
		d.KnownFields(true)
		err = d.Decode(&c)
	}
	if err != nil {
		return c, fmt.Errorf("%s:%d: this is no component: %s", file, n.Line, oneLine(err))
	}
	switch {
	case c.Image == "" || c.Module == "":
		return c, fmt.Errorf("%s:%d: a component has an image and a module: write both", file, n.Line)
	case c.Image != Repository(c.Image):
		return c, fmt.Errorf("%s:%d: the image %s has a tag or a digest: write %s, for all of them", file, n.Line, c.Image, Repository(c.Image))
	}
	c.Name = cmp.Or(c.Name, path.Base(c.Image))
	if !filepath.IsAbs(c.Module) {
		c.Module = filepath.Join(filepath.Dir(file), c.Module)
	}
	if info, err := os.Stat(c.Module); err != nil || !info.IsDir() {
		return c, fmt.Errorf("%s:%d: the module of %s is %s, and there is no such folder: it is relative to this file", file, n.Line, c.Name, c.Module)
	}
	if len(c.Packages) == 0 {
		c.Packages = []string{"./..."}
	}
	return c, nil
}

// Repository is an image without its tag and its digest.
func Repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if colon := strings.LastIndexByte(image, ':'); colon > strings.LastIndexByte(image, '/') {
		image = image[:colon]
	}
	return image
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
