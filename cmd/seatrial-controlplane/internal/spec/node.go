package spec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Nodes reads the nodes of a Spec: objects, or strings of YAML with any number of
// them. The result has objects only.
func Nodes(given []json.RawMessage) ([]json.RawMessage, error) {
	var all []json.RawMessage
	for i, entry := range given {
		var text string
		if json.Unmarshal(entry, &text) != nil {
			text = string(entry)
		}
		documents, err := split(text)
		if err != nil {
			return nil, Wrong(fmt.Errorf("node %d: %w", i, err))
		}
		all = append(all, documents...)
	}
	seen := map[string]bool{}
	for i, document := range all {
		var head metav1.PartialObjectMetadata
		if err := json.Unmarshal(document, &head); err != nil {
			return nil, Wrong(fmt.Errorf("node %d: %w", i, err))
		}
		switch {
		case head.APIVersion != "v1" || head.Kind != "Node":
			return nil, Wrong(fmt.Errorf("node %d: it is apiVersion %q, kind %q, and not v1, Node", i, head.APIVersion, head.Kind))
		case head.Name == "":
			return nil, Wrong(fmt.Errorf("node %d: it has no name", i))
		case seen[head.Name]:
			return nil, Wrong(fmt.Errorf("node %s is there twice", head.Name))
		}
		seen[head.Name] = true
	}
	return all, nil
}

// split reads the documents of a text, as JSON, and leaves out empty ones.
func split(text string) ([]json.RawMessage, error) {
	var all []json.RawMessage
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader([]byte(text))))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		object, err := yaml.ToJSON(document)
		if err != nil {
			return nil, err
		}
		if string(object) != "null" {
			all = append(all, object)
		}
	}
}
