package oracle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// choice are values of Kubernetes of a text that says which of several kinds something is, and what has a part beside
// each whatever else could be chosen: every Service has ports.
type choice struct {
	values []string
	beside map[string]*regexp.Regexp
}

var choices = []choice{
	{[]string{"ClusterIP", "NodePort", "LoadBalancer", "ExternalName"}, map[string]*regexp.Regexp{"ClusterIP": ofServices, "NodePort": ofServices, "LoadBalancer": ofServices}},
	{[]string{"RollingUpdate", "Recreate", "OnDelete"}, map[string]*regexp.Regexp{"RollingUpdate": regexp.MustCompile(`^(partition|maxUnavailable|maxSurge|rollingUpdate)$`)}},
}

var ofServices = regexp.MustCompile(`^(name|ports?|httpPort|grpcPort|servicePort|targetPort|protocol|annotations|labels|clusterIPs?|sessionAffinity|publishNotReadyAddresses|internalTrafficPolicy|ipFamil(ies|yPolicy))$`)

// chosen tells whether what a text chooses is known of Kubernetes, and what is beside it has a part in that. One that
// could be something else besides, as its enumeration says, chooses in its own way.
func chosen(chooser *schema.Property, value, beside string) bool {
	for _, c := range choices {
		if !slices.Contains(c.values, value) {
			continue
		}
		if chooser != nil && chooser.Schema != nil && chooser.Schema.ValueValidation != nil {
			for _, v := range chooser.Schema.ValueValidation.Enum {
				if text, _ := v.Object.(string); text != "" && !slices.Contains(c.values, text) {
					return false
				}
			}
		}
		has := c.beside[value]
		return has != nil && has.MatchString(beside)
	}
	return false
}

// mayBeNone tells whether a property that says which of several kinds a part is may say nothing: then that is none of
// them, but for what Kubernetes has a default for.
func mayBeNone(p *schema.Property) bool {
	if p == nil || p.Schema == nil || p.Schema.ValueValidation == nil || !schema.Choosing(p.Name) || p.Required || p.Schema.Default.Object != nil || strings.Count(p.Path, ".") < 2 {
		return false
	}
	return len(p.Schema.ValueValidation.Enum) > 1 && !ofKubernetes(p)
}

// ofKubernetes tells whether one of the words of an enumeration is one of Kubernetes, which has a default for it.
func ofKubernetes(p *schema.Property) bool {
	return slices.ContainsFunc(p.Schema.ValueValidation.Enum, func(v structural.JSON) bool {
		return slices.ContainsFunc(choices, func(c choice) bool { return slices.Contains(c.values, fmt.Sprint(v.Object)) })
	})
}
