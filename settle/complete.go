package settle

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// check says what a configuration lacks, and what of it makes no sense by itself.
func (c *Config) check() error {
	switch {
	case c.Scheme == nil:
		return errors.New("settle: there is no Scheme: it has the types of the reconcilers and of what is desired")
	case len(c.Desired) == 0:
		return errors.New("settle: there is no Desired: what users ask for, one resource at least")
	}
	for _, bound := range []struct {
		name string
		is   int
	}{{"MaxObjects", c.MaxObjects}, {"MaxStates", c.MaxStates}, {"Workers", c.Workers}} {
		if bound.is < 0 {
			return fmt.Errorf("settle: %s is %d: it is 0 for what is usual, or more", bound.name, bound.is)
		}
	}
	if at := slices.Index(c.Definitions, nil); at >= 0 {
		return fmt.Errorf("settle: Definitions: number %d is nil", at+1)
	}
	for i, s := range c.Systems {
		if s.handle == nil {
			return fmt.Errorf("settle: Systems: number %d does nothing: make it with NewSystem", i+1)
		}
	}
	for _, list := range []struct {
		name string
		all  []client.Object
	}{{"Objects", c.Objects}, {"Desired", c.Desired}} {
		if err := c.checkObjects(list.name, list.all); err != nil {
			return err
		}
	}
	return c.checkFunctions()
}

// checkObjects wants none to be nil, and none to be there twice.
func (c *Config) checkObjects(name string, all []client.Object) error {
	s := &scripted{scheme: c.Scheme}
	var before [][]byte
	for i, o := range all {
		if o == nil || reflect.ValueOf(o).Kind() == reflect.Pointer && reflect.ValueOf(o).IsNil() {
			return fmt.Errorf("settle: %s: number %d is nil", name, i+1)
		}
		text, err := s.body(o)
		if err != nil {
			return fmt.Errorf("settle: %s: number %d, %T: %w", name, i+1, o, missingOr(err))
		}
		if at := slices.IndexFunc(before, func(other []byte) bool { return bytes.Equal(other, text) }); at >= 0 {
			return fmt.Errorf("settle: %s: number %d is the same as number %d: leave it out, or change it", name, i+1, at+1)
		}
		before = append(before, text)
	}
	return nil
}

// missingOr is what to change for an error, if that is known.
func missingOr(err error) error {
	if found := missing(err); found != nil {
		return found
	}
	return err
}

// checkFunctions wants none to be nil.
func (c *Config) checkFunctions() error {
	lacks := func(of string, name string) error { return fmt.Errorf("settle: %s: %q has no function", of, name) }
	for _, name := range slices.Sorted(maps.Keys(c.Always)) {
		if c.Always[name] == nil {
			return lacks("Always", name)
		}
	}
	for _, p := range c.promises() {
		if p.of == nil {
			return lacks("Writes and Contracts", p.name)
		}
	}
	return nil
}
