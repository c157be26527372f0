// Package change reads two versions of a configuration and says which parameters differ, with the
// lines that say so. It reads text and runs nothing but git.
package change

import (
	"cmp"
	"slices"

	"github.com/seatrial/seatrial/finding"
)

// Kind is how a program is given a parameter.
type Kind string

// The ways there are.
const (
	// Key: as a key of a file, or of a ConfigMap or a Secret.
	Key Kind = "key"
	// Flag: as an argument.
	Flag Kind = "flag"
	// Env: as a variable of its environment.
	Env Kind = "env"
	// From: as all variables that a ConfigMap or a Secret has.
	From Kind = "envFrom"
	// Line: by a line of a file of which no format is known.
	Line Kind = "line"
)

// Identity is what a parameter is known by in both versions.
type Identity struct {
	Kind Kind
	// In is what it stands in: empty for the file itself, the object for a manifest, with the
	// container or the name of the file that the object holds.
	In string
	// Path leads to it: server.port, --workers, APP_PORT.
	Path string
}

// Setting is a parameter in one version.
type Setting struct {
	Identity
	Value    Value
	Location finding.Location
	// Image is that of the container which is told it, or the container's name where a text says no image; empty for
	// what is not told to a container.
	Image string
	// Lines are those of the steps of a key, each where it is written; none where they are not known.
	Lines []int
}

// Change is a parameter that is not the same in both versions.
type Change struct {
	Identity
	// Old and New are its values; nil where it is not set.
	Old, New *Value
	// Location is the new place, or the old one of a parameter that is not set any more.
	Location finding.Location
}

// Between says what differs, in the order of the lines of the new version; behind it what is gone, in
// the order of the old one. Of several settings of one parameter the last counts.
func Between(before, after []Setting) []Change {
	olds, news := index(before), index(after)
	var out, gone []Change
	for id, now := range news {
		c := Change{Identity: id, New: &now.Value, Location: now.Location}
		if was, is := olds[id]; is {
			if was.Value.equal(now.Value) {
				continue
			}
			c.Old = &was.Value
			if line, is := now.Value.differs(was.Value); is && was.Value.Type == now.Value.Type {
				c.Location.Line = line
			}
			// A value is a secret if either version says so.
			c.Old.Secret = c.Old.Secret || c.New.Secret
			c.New.Secret = c.Old.Secret
		}
		out = append(out, c)
	}
	for id, was := range olds {
		if _, is := news[id]; !is {
			gone = append(gone, Change{Identity: id, Old: &was.Value, Location: was.Location})
		}
	}
	slices.SortFunc(out, inOrder)
	slices.SortFunc(gone, inOrder)
	return append(out, gone...)
}

func index(all []Setting) map[Identity]Setting {
	out := map[Identity]Setting{}
	for _, s := range all {
		out[s.Identity] = s
	}
	return out
}

func inOrder(a, b Change) int {
	return cmp.Or(cmp.Compare(a.Location.File, b.Location.File), cmp.Compare(a.Location.Line, b.Location.Line),
		cmp.Compare(a.In, b.In), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path))
}

// Equal tells whether two values are the same text; nil is not set.
func Equal(a, b *Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.text == b.text
}
