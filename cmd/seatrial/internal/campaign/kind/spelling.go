package kind

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// spellings tell whether a text is one of a kind whose texts have a form of their own.
var spellings = map[string]func(string) bool{
	duration:      func(s string) bool { _, err := time.ParseDuration(s); return err == nil },
	quantity:      amount,
	"StorageSize": amount,
	addressRange:  func(s string) bool { _, err := netip.ParsePrefix(s); return err == nil },
	"io.k8s.api.batch.v1.CronJobSpec.schedule": func(s string) bool {
		return strings.HasPrefix(s, "@") || len(strings.Fields(s)) == 5 || strings.HasPrefix(s, "TZ=") || strings.HasPrefix(s, "CRON_TZ=")
	},
}

func amount(s string) bool { _, err := resource.ParseQuantity(s); return err == nil }

// spelt tells whether the texts that resources have at p are of its kind. A name is a guess, and what is there is
// known: a timeout may be a number of seconds, and a size one of small, medium and large.
func (r *recogniser) spelt(p *schema.Property) bool {
	is := spellings[p.Kind]
	return is == nil || !slices.ContainsFunc(p.Values(r.resources), func(v any) bool {
		text, ok := v.(string)
		return ok && text != "" && !is(text)
	})
}
