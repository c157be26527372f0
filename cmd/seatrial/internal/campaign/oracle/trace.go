package oracle

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// Leaf is where a value of the custom resource goes: a field of an object. What of both is drawn, or is
// the name of the custom resource, is a *.
type Leaf struct {
	Resource, Name, Path string
}

// String is for people.
func (l Leaf) String() string { return fmt.Sprintf("%s of %s %s", l.Path, l.Resource, l.Name) }

func (l Leaf) compare(other Leaf) int {
	return slices.Compare([]string{l.Resource, l.Name, l.Path}, []string{other.Resource, other.Name, other.Path})
}

// leaves are where any of some sentinels is in a state, with the value there: in texts, in keys, in what
// Secrets have encoded. The custom resource is none of it, nor is what the user gives, or was there before.
func (c *Case) leaves(s history.State, sentinels []string) map[Leaf]any {
	if len(sentinels) == 0 {
		return map[Leaf]any{}
	}
	return c.leavesWith(s, func(text string) bool { return in(text, sentinels) })
}

// leavesWith are where a text, or a number as one, is of which something is so.
func (c *Case) leavesWith(s history.State, is func(text string) bool) map[Leaf]any {
	out := map[Leaf]any{}
	given := c.given()
	for key, o := range s {
		if key == c.Key || !c.own(key) || given[o.Text("kind")+"/"+key.Name] || c.Mask.IgnoresObject(key.Resource, o) {
			continue
		}
		name := c.generalName(key.Generic(o).Name)
		walk("", map[string]any(o), func(path string, v any) {
			if strings.HasPrefix(path, "metadata.managedFields") || strings.HasPrefix(path, "metadata.name") || !reads(key.Resource, path, v, is) {
				return
			}
			out[Leaf{key.Resource, name, c.general(path)}] = v
		})
	}
	return out
}

// generalName is a name without sentinels, and with a * for the custom resource's.
func (c *Case) generalName(name string) string {
	for _, s := range c.sentinels() {
		name = strings.ReplaceAll(name, s, "*")
	}
	if name == c.Key.Name {
		return "*"
	}
	if rest, ok := strings.CutPrefix(name, c.Key.Name+"-"); ok {
		return "*-" + rest
	}
	return name
}

// walk calls f with each value that is no map or list, and with each key as the value of its own
// path. Items of lists are known by their names, if they have one.
func walk(path string, v any, f func(path string, v any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			inner := path + "[" + key + "]"
			if strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
				inner = strings.TrimPrefix(path+"."+key, ".")
			}
			f(inner, key)
			walk(inner, v[key], f)
		}
	case []any:
		for _, item := range v {
			m, _ := item.(map[string]any)
			name, _ := m["name"].(string)
			walk(path+"["+name+"]", item, f)
		}
	case nil:
	default:
		f(path, v)
	}
}

// holds tells whether a value has one of the sentinels in it.
func holds(resource, path string, v any, sentinels []string) bool {
	return reads(resource, path, v, func(text string) bool { return in(text, sentinels) })
}

// reads tells whether something is so of a value as text, or of what a Secret has encoded.
func reads(resource, path string, v any, is func(text string) bool) bool {
	switch v := v.(type) {
	case string:
		if is(v) {
			return true
		}
		if resource == secrets && strings.HasPrefix(path, "data") {
			decoded, err := base64.StdEncoding.DecodeString(v)
			return err == nil && is(string(decoded))
		}
	case int64:
		return is(strconv.FormatInt(v, 10))
	case float64:
		return is(strconv.FormatFloat(v, 'f', -1, 64))
	}
	return false
}

func in(text string, sentinels []string) bool {
	lower := strings.ToLower(text)
	return slices.ContainsFunc(sentinels, func(s string) bool {
		if strings.Trim(s, decimals) == "" {
			return whole(text, s)
		}
		return strings.Contains(lower, strings.ToLower(s))
	})
}

const decimals = "0123456789"

// whole tells whether a number is in a text, and is no part of a longer one; false for none.
func whole(text, number string) bool {
	for at := 0; number != ""; {
		i := strings.Index(text[at:], number)
		if i < 0 {
			return false
		}
		before, after := text[:at+i], text[at+i+len(number):]
		if !strings.ContainsAny(before[max(0, len(before)-1):], decimals) && !strings.ContainsAny(after[:min(1, len(after))], decimals) {
			return true
		}
		at += i + 1
	}
	return false
}

func sortedLeaves[V any](m map[Leaf]V) []Leaf {
	return slices.SortedFunc(maps.Keys(m), Leaf.compare)
}
