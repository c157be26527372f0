package value

import (
	"strings"
	"time"
)

func init() {
	sorted(sort{20, "duration", func(p *asked) bool {
		_, err := time.ParseDuration(p.plain)
		return p.typed("time.Duration", "k8s.io/apimachinery/pkg/apis/meta/v1.Duration") || p.shaped() && err == nil
	}, durations})
}

// waits are words of names of times in which something is done again, or is over.
var waits = []string{"interval", "period", "ttl"}

// durations are times near the known one, and what is none. A type that reads itself may take a number.
func durations(p *asked) {
	strict := p.typed("time.Duration", "k8s.io/apimachinery/pkg/apis/meta/v1.Duration")
	known, err := time.ParseDuration(p.plain)
	if err != nil {
		known = 30 * time.Second
		p.add(Valid, "30s", "some time")
	}
	for _, other := range texts(known.String(), nil) {
		if d, err := time.ParseDuration(other); err == nil {
			p.add(Valid, short(d), "near "+short(known))
		}
	}
	p.add(Unsure, "0s", "none")
	p.add(Unsure, short(known*10), "ten times as long")
	negative, bare := Unsure, Unsure
	if p.named(waits...) {
		negative = Invalid
	}
	if strict {
		bare = Invalid
	}
	p.add(negative, short(-known), "negative")
	p.bare(bare, number(max(1, float64(int64(known.Seconds())))), "without a unit")
	p.add(Invalid, short(known)[:1]+"parsecs", "of a unit that no time has")
	p.add(Invalid, "some", "no time")
	p.add(Unsure, "", "empty")
}

// short is a duration without parts that are none.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
