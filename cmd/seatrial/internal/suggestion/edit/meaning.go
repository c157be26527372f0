package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

// meaning is what a text says to kubectl: its JSON.
func meaning(text []byte) (any, error) {
	raw, err := sigsyaml.YAMLToJSON(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	return decode(raw)
}

func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrForm, err)
	}
	return out, nil
}

func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// changedMeaning is a meaning with one edit.
func changedMeaning(of any, e Edit) (any, error) {
	var value any
	if e.Op == Set {
		text, err := yaml.Marshal(e.Value)
		if err != nil {
			return nil, err
		}
		if value, err = meaning(text); err != nil {
			return nil, err
		}
	}
	if len(e.Path) == 0 {
		return nil, fmt.Errorf("%w: an empty path", ErrForm)
	}
	return changed(of, e.Path, e.Op, value)
}

// changed returns of with what path leads to set or removed. It writes into of.
func changed(of any, path Path, op Op, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	last := len(path) == 1
	switch step := path[0].(type) {
	case string:
		m, ok := of.(map[string]any)
		if !ok && of != nil {
			return nil, fmt.Errorf("%w: %s is in no object", ErrForm, step)
		}
		if m == nil {
			m = map[string]any{}
		}
		inner, there := m[step]
		if op == Remove && (!there || last && len(m) == 1) {
			return nil, fmt.Errorf("%w: %s is not there, or is the only field", ErrForm, step)
		}
		if op == Remove && last {
			delete(m, step)
			return m, nil
		}
		inner, err := changed(inner, path[1:], op, value)
		m[step] = inner
		return m, err
	case int:
		list, ok := of.([]any)
		if !ok && of != nil || step < 0 || step > len(list) || step == len(list) && op == Remove {
			return nil, fmt.Errorf("%w: there is no item %d", ErrForm, step)
		}
		if op == Remove && last {
			if len(list) == 1 {
				return nil, fmt.Errorf("%w: item %d is the only one", ErrForm, step)
			}
			return append(list[:step:step], list[step+1:]...), nil
		}
		if step == len(list) {
			list = append(list, nil)
		}
		inner, err := changed(list[step], path[1:], op, value)
		list[step] = inner
		return list, err
	}
	return nil, fmt.Errorf("%w: a path of keys and indexes", ErrForm)
}
