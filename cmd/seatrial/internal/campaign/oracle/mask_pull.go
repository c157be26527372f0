package oracle

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// pulled is the path of a container's policy of pulling its image, with the container's name.
var pulled = regexp.MustCompile(`[cC]ontainers\[([^\]]+)\]\.imagePullPolicy$`)

func init() {
	mask(Mask{
		Name:   "pull-policies",
		Reason: "by the tag of the first image the API server has chosen when it is pulled, and an apply or a patch of another image leaves that as it is: the custom resource does not say when",
		change: func(v *view, d *history.Difference, ch history.Change) bool {
			name := pulled.FindStringSubmatch(ch.Path)
			if name == nil || slices.ContainsFunc(v.c.Steps, func(s *Step) bool { return saysPull(s.Resource) }) {
				return false
			}
			chosen := func(s history.State, policy any) bool {
				for key, o := range s {
					if key.Resource == d.Resource && slices.Contains(images(o, name[1]), policy) {
						return true
					}
				}
				return false
			}
			return chosen(v.want.state, ch.From) && slices.ContainsFunc(v.c.Steps, func(s *Step) bool { return chosen(s.End, ch.To) })
		},
	})
}

// saysPull tells whether a field is there that is called after pulling.
func saysPull(v any) bool {
	switch v := v.(type) {
	case history.Object:
		return saysPull(v["spec"])
	case map[string]any:
		for key, inner := range v {
			if strings.Contains(strings.ToLower(key), "pull") && !strings.Contains(strings.ToLower(key), "secret") || saysPull(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, saysPull)
	}
	return false
}

// images are the policies that the API server chooses for the images of all containers of a name.
func images(v any, name string) (policies []any) {
	switch v := v.(type) {
	case history.Object:
		return images(map[string]any(v), name)
	case map[string]any:
		if image, ok := v["image"].(string); ok && v["name"] == name {
			policies = append(policies, policyOf(image))
		}
		for _, inner := range v {
			policies = append(policies, images(inner, name)...)
		}
	case []any:
		for _, inner := range v {
			policies = append(policies, images(inner, name)...)
		}
	}
	return policies
}

// policyOf is what the API server chooses for an image.
func policyOf(image string) any {
	if strings.Contains(image, "@") {
		return "IfNotPresent"
	}
	if _, tag, tagged := strings.Cut(image[strings.LastIndexByte(image, '/')+1:], ":"); tagged && tag != "latest" {
		return "IfNotPresent"
	}
	return "Always"
}
