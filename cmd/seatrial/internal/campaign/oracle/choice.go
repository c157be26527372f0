package oracle

import (
	"regexp"
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// choices are values of Kubernetes of texts that say which of several kinds something is, and what has a part beside
// each whatever else could be chosen: every Service has ports.
var choices = []struct {
	values []string
	beside map[string]*regexp.Regexp
}{
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
