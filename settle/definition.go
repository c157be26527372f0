package settle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// definitions are those of the configuration and of its files.
func (c *Config) definitions() ([]*apiextensionsv1.CustomResourceDefinition, error) {
	all := slices.Clone(c.Definitions)
	if len(c.Systems) > 0 {
		all = append(all, systemDefinition())
	}
	for _, path := range c.CRDs {
		found := 0
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			extension := strings.ToLower(filepath.Ext(name))
			if err != nil || entry.IsDir() || extension != ".yaml" && extension != ".yml" && extension != ".json" {
				return err
			}
			read, err := readDefinitions(name)
			found += len(read)
			all = append(all, read...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("settle: CRDs: %w", err)
		}
		if found == 0 {
			return nil, fmt.Errorf("settle: CRDs: there is no CustomResourceDefinition in %s", path)
		}
	}
	return all, nil
}

func readDefinitions(path string) (all []*apiextensionsv1.CustomResourceDefinition, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		one := &apiextensionsv1.CustomResourceDefinition{}
		switch err := d.Decode(one); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case one.Kind == "CustomResourceDefinition":
			all = append(all, one)
		}
	}
}
