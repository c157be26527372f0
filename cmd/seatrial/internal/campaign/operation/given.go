package operation

import (
	"bytes"
	"encoding/base64"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// given is the operation that changes what an object of the setup says to which the seed refers by a property; nil
// where it does not.
func (m *maker) given(p *property, o history.Object) []*draft {
	kind, home := o.Text("kind"), o.Text("metadata", "namespace")
	if kind != "Secret" && kind != "ConfigMap" || home != "" && home != m.home(m.now) {
		return nil
	}
	path := p.place(map[string]any(m.now.written))
	v, there := at(map[string]any(m.now.written), path)
	beside, found := m.fields(path, v, o.Text("metadata", "name"))
	if !there || !found {
		return nil
	}
	text := m.at(p, p.Property, m.now).Draw.Text()
	changed := reworded(o, beside, text)
	if changed == nil {
		return nil
	}
	d := &draft{property: p, before: m.now, after: m.now, Operation: &Operation{Changes: []Change{{Path: path, Value: v}}}}
	return []*draft{m.behind(d, kind+" "+o.Text("metadata", "name")+" says something else", []history.Object{changed})}
}

// fields are what stands beside a name, if v is that name or an object that has it.
func (m *maker) fields(path []any, v any, name string) (fields map[string]any, found bool) {
	switch v := v.(type) {
	case string:
		around, _ := at(map[string]any(m.now.written), path[:max(len(path)-1, 0)])
		fields, _ = around.(map[string]any)
		return fields, v == name && name != ""
	case map[string]any:
		for _, field := range v {
			found = found || field == name && name != ""
		}
		return v, found
	}
	return nil, false
}

// reworded is a Secret or ConfigMap with another text at each of its keys, or at the one that what refers to it names
// beside its name; nil if there is none of which another is known.
func reworded(o history.Object, beside map[string]any, text string) history.Object {
	next := history.Object(value.Clone(map[string]any(o)).(map[string]any))
	keys := map[string]bool{}
	for _, field := range []string{"data", "stringData"} {
		data, _ := next[field].(map[string]any)
		for key := range data {
			keys[key] = true
		}
	}
	var named []string
	for _, v := range beside {
		if key, is := v.(string); is && keys[key] {
			named = append(named, key)
		}
	}
	some := false
	for _, field := range []string{"data", "stringData"} {
		data, _ := next[field].(map[string]any)
		for key, v := range data {
			old, is := v.(string)
			if !is || len(named) > 0 && !slices.Contains(named, key) {
				continue
			}
			coded := field == "data" && o.Text("kind") == "Secret"
			if other := otherText(old, coded, text); other != old {
				data[key], some = other, true
			}
		}
	}
	if !some {
		return nil
	}
	return next
}

var (
	word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9._-]*$`)
	// lined are texts in which a line that begins with # says nothing: of settings and of YAML.
	lined = regexp.MustCompile(`(?m)^\s*[-\w."]+\s*[:=]`)
)

// otherText is another text of the same form: another word, or one more line that is a comment; the text itself where
// nothing is known of its form. It may be coded as base64.
func otherText(old string, coded bool, text string) string {
	if coded {
		plain, err := base64.StdEncoding.DecodeString(old)
		if err != nil || bytes.ContainsRune(plain, 0) {
			return old
		}
		return base64.StdEncoding.EncodeToString([]byte(otherText(string(plain), false, text)))
	}
	n, err := strconv.ParseInt(old, 10, 32)
	switch {
	case err == nil:
		return strconv.FormatInt(n+1, 10)
	case old == "true" || old == "false":
		return strconv.FormatBool(old == "false")
	case word.MatchString(old):
		return text
	case lined.MatchString(old) && !strings.HasPrefix(strings.TrimSpace(old), "{"):
		return strings.TrimSuffix(old, "\n") + "\n# " + text + "\n"
	}
	return old
}
