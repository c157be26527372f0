package input

import (
	"bytes"
	"os"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
)

// step is a part of a place in an object as the API server says it: spec, or [size] of properties[size].
var step = regexp.MustCompile(`[^.\[\]]+|\[[^\]]*\]`)

// lineIn is the line of a place in an object, or of the last part of the way there that it has; that of the object if
// its file says no more.
func lineIn(p experiment.Placed, place string) int {
	text, err := os.ReadFile(p.File)
	if err != nil {
		return p.Line
	}
	var object *yaml.Node
	for d := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if d.Decode(&document) != nil {
			break
		}
		if len(document.Content) == 1 && document.Content[0].Line <= p.Line {
			object = document.Content[0]
		}
	}
	if object == nil {
		return p.Line
	}
	line, _ := walk(object, step.FindAllString(place, -1))
	return max(line, p.Line)
}

// walk follows steps from a node: the line of the last one that is there, and how many are. Of a
// CustomResourceDefinition the schema of any version may be meant where the API server says what all have in common.
func walk(n *yaml.Node, steps []string) (line, found int) {
	if len(steps) == 0 {
		return 0, 0
	}
	name := steps[0]
	if name[0] == '[' {
		name = name[1 : len(name)-1]
	}
	follow := func(at int, inner *yaml.Node, rest []string) {
		deeper, more := walk(inner, rest)
		if more+1 > found {
			line, found = max(at, deeper), more+1
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return walk(n.Alias, steps)
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i < len(n.Content) {
			follow(n.Content[i].Line, n.Content[i], steps[1:])
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			switch {
			case key.Value == name:
				follow(key.Line, value, steps[1:])
			case name == "validation" && key.Value == "versions":
				for _, version := range value.Content {
					follow(key.Line, version, append([]string{"schema"}, steps[1:]...))
				}
			}
		}
	}
	return line, found
}
