package operation

import (
	"encoding/base64"
	"slices"
	"unicode/utf8"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/value"
	"github.com/seatrial/seatrial/history"
)

// withoutProduced leaves out the objects that cases of a property bring along where it does not refer to what is there:
// the seed names a Secret or ConfigMap that nobody gives. The operator makes it then, as it makes the Secret that a
// certificate is put into; one that is there before is somebody else's.
func (m *maker) withoutProduced(p *property, cases []value.Case) {
	says, _ := at(map[string]any(m.seed.stored), p.place(map[string]any(m.seed.stored)))
	name := reference(says)
	if name == "" {
		return
	}
	produced := func(o history.Object) bool {
		kind := o.Text("kind")
		return (kind == "Secret" || kind == "ConfigMap") && !slices.ContainsFunc(m.Setup, func(s history.Object) bool {
			return s.Text("kind") == kind && s.Text("metadata", "name") == name
		})
	}
	for i := range cases {
		cases[i].Objects = slices.DeleteFunc(slices.Clone(cases[i].Objects), produced)
	}
}

// likeGiven has the Secrets and ConfigMaps that cases of a property bring along say something at all keys of the one
// that the seed refers to: who reads that looks for them.
func (m *maker) likeGiven(p *property, cases []value.Case) {
	says, _ := at(map[string]any(m.seed.stored), p.place(map[string]any(m.seed.stored)))
	name := reference(says)
	if name == "" {
		return
	}
	for _, given := range m.Setup {
		if given.Text("metadata", "name") != name {
			continue
		}
		for _, c := range cases {
			for _, o := range c.Objects {
				if o.Text("kind") == given.Text("kind") && len(c.Sentinels) > 0 {
					like(o, given, c.Sentinels[0])
				}
			}
		}
	}
}

// ofAccount is the type of a Secret that the API server only takes with the account to which it belongs.
const ofAccount = "kubernetes.io/service-account-token"

// like has a Secret or ConfigMap say something at all keys of another one, beside its own. What is a word there is one
// that was drawn here.
func like(o, given history.Object, drawn string) {
	secret, field := o.Text("kind") == "Secret", "data"
	if secret {
		field = "stringData"
	}
	data, _ := o[field].(map[string]any)
	if data == nil {
		return
	}
	if secret && o["type"] == nil && given["type"] != nil && given["type"] != ofAccount {
		o["type"] = given["type"]
	}
	for _, from := range []string{"data", "stringData"} {
		theirs, _ := given[from].(map[string]any)
		for key, v := range theirs {
			text, is := v.(string)
			if !is || data[key] != nil {
				continue
			}
			if secret && from == "data" {
				plain, err := base64.StdEncoding.DecodeString(text)
				if err != nil || !utf8.Valid(plain) {
					continue
				}
				text = string(plain)
			}
			if word.MatchString(text) && text != "true" && text != "false" {
				text = drawn
			}
			data[key] = text
		}
	}
}

// referenceFields are what an object has that says which other one it refers to, and nothing else.
var referenceFields = []string{"name", "key", "namespace", "optional", "kind", "apiGroup"}

// reference is the name of an object that a value refers to: the value itself, or that in an object that says nothing
// else; empty for none.
func reference(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case map[string]any:
		for field := range v {
			if !slices.Contains(referenceFields, field) {
				return ""
			}
		}
		name, _ := v["name"].(string)
		return name
	}
	return ""
}
