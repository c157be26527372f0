package manifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/seatrial/seatrial/finding"
)

// Text is manifests that are in no file: what a program rendered, or a cluster holds.
// It is held to what a file that is named is held to.
type Text struct {
	// Name stands for it in locations, in angle brackets: <helm web charts/web>.
	Name string
	Data []byte
	// Namespace is that of objects that have none; empty is "default".
	Namespace string
	// Origin is the file that the document around a line came from, empty where that
	// is not known. raw is the document as JSON, nil where it cannot be parsed. The
	// line 0 stands for the text as a whole. Nil knows none.
	Origin func(line int, raw []byte) string
	// Unread is what should be in it and could not be read.
	Unread []Unread
}

// Unread is a kind, an object or a configuration that could not be read.
type Unread struct {
	// Name is what a user writes to accept it: Kind, Kind/namespace/name.
	Name, Reason string
	// Blocking: without it a verdict is not known.
	Blocking bool
}

// unread lists what could not be read as left out, and warns of it.
func (l *loader) unread(t *Text) {
	for _, u := range t.Unread {
		place := finding.Location{File: t.Name}
		kind, rest, _ := strings.Cut(u.Name, "/")
		namespace, _, _ := strings.Cut(rest, "/")
		l.in.Warnings = append(l.in.Warnings, finding.Warning{Location: place, Message: u.Name + " is not taken into account: " + u.Reason})
		l.in.LeftOut = append(l.in.LeftOut, LeftOut{
			Name: u.Name, Location: place, Reason: u.Reason, Kind: kind, Namespace: namespace, unread: true, blocking: u.Blocking,
		})
	}
}

func (t *Text) origin(line int, raw []byte) string {
	if t == nil || t.Origin == nil {
		return ""
	}
	return t.Origin(line, raw)
}

// filesOf are texts as the loader takes files.
func filesOf(texts []Text) []file {
	var out []file
	for i := range texts {
		out = append(out, file{name: texts[i].Name, data: texts[i].Data, text: &texts[i]})
	}
	return out
}

// empty says where nothing was found.
func empty(paths []string, texts []Text) string {
	names := slices.Clone(paths)
	for _, t := range texts {
		names = append(names, finding.Location{File: t.Name, Origin: t.origin(0, nil)}.FileLine())
	}
	all := ""
	for i, name := range names {
		if i > 0 {
			all += ", "
		}
		all += name
	}
	return fmt.Sprintf("no objects in %s", all)
}

// named gives an object that has no namespace the one of its text, as a program that
// would apply the text does. Custom resources are taken to be in one.
func named(raw []byte, gvk schema.GroupVersionKind, namespace string) []byte {
	if k := modelKindOf(gvk.Group, gvk.Kind); k != nil && k.clusterScoped || slices.Contains(clusterKinds, gvk.Kind) {
		return raw
	}
	switch gvk.Group {
	case "seatrial.dev", "kubescheduler.config.k8s.io", "descheduler", "kustomize.config.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io":
		return raw
	}
	var object, metadata map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || json.Unmarshal(object["metadata"], &metadata) != nil || metadata == nil {
		return raw
	}
	if old := string(metadata["namespace"]); old != "" && old != "null" && old != `""` {
		return raw
	}
	var err error
	if metadata["namespace"], err = json.Marshal(namespace); err != nil {
		return raw
	}
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return raw
	}
	full, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	return full
}
