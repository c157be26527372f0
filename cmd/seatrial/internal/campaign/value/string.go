package value

import (
	"slices"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

var _ = register(kind{
	name:   "string",
	order:  43,
	is:     func(p *schema.Property) bool { return p.Schema.Type == "string" },
	cases:  stringCases,
	sample: func(s *sampler, p *schema.Property, number int) any { return stringSample(s, p, number) },
})

// longMost is the longest text that is made because a schema allows it; veryLong is
// one that is too long for names, labels and the like, where a schema says nothing.
const (
	longMost = 2048
	veryLong = 300
)

func stringCases(at *Place) []Case {
	l := limitOf(at.Property.Schema)
	all := []Case{{Name: "another text", Value: stringSample(at.sampler(), at.Property, 0)}}
	if other := stringSample(&sampler{draw: at.Draw, drawn: 1}, at.Property, 1); other != all[0].Value {
		all = append(all, Case{Name: "yet another text", Value: other})
	}
	if words := described(at.Property.Schema.Description); l.format == "" && len(l.enum) == 0 {
		how := "as described"
		if now, ok := at.Value.(string); ok && len(words) == 0 {
			words, how = family(now), "of its family"
		}
		all = slices.Concat(words.cases(how, at.Value, &l), all)
	}
	if now, ok := at.Value.(string); ok && l.format == "" {
		if like := likeNow(at.sampler(), now, &l); like != nil {
			all = append([]Case{*like}, all...)
		}
	}
	free := len(l.patterns) == 0 && l.format == ""
	if free && l.longest > 0 && l.longest <= longMost {
		all = append(all, Case{Name: "longest", Value: long(at.Draw.Text(), int(l.longest)), own: true})
	}
	if l.shortest == 0 && at.Value != "" && l.matches("") && l.format == "" {
		all = append(all, Case{Name: "empty", Class: Removal, Value: ""})
	}
	switch {
	case l.longest >= 0 && l.longest <= longMost:
		all = append(all, Case{Name: "too long", Class: Misoperation, Value: long(at.Draw.Text(), int(l.longest)+1), own: true})
	case free:
		all = append(all, Case{Name: "very long", Class: Misoperation, Value: long(at.Draw.Text(), veryLong)})
	}
	if l.shortest > 0 {
		all = append(all, Case{Name: "too short", Class: Misoperation, Value: long("", int(l.shortest)-1), own: true})
	}
	if free {
		all = append(all, Case{Name: "no name of DNS", Class: Misoperation, Value: "Not A_Name!"})
	}
	if bad, ok := l.unmatched(); ok {
		all = append(all, Case{Name: "not as its pattern says", Class: Misoperation, Value: bad, own: true})
	}
	return all
}

// unmatched is a text of a valid length that a pattern does not match.
func (l *limit) unmatched() (string, bool) {
	for _, pattern := range l.patterns {
		re := compiled(pattern)
		if re == nil {
			continue
		}
		for _, text := range []string{"!", "not one", "-", "0", "ÄÖ", "x"} {
			n := int64(len([]rune(text)))
			if !re.MatchString(text) && n >= l.shortest && (l.longest < 0 || n <= l.longest) {
				return text, true
			}
		}
	}
	return "", false
}

// long is a text of n letters that begins with another.
func long(begin string, n int) string {
	if n <= len(begin) {
		return begin[:max(0, n)]
	}
	return begin + strings.Repeat("x", n-len(begin))
}

// longer is a text of n letters at least.
func longer(text string, n int) string { return long(text, max(n, len(text))) }

// formats are values for the formats of strings that the API server knows. Sources: the
// formats of k8s.io/kube-openapi/pkg/validation/strfmt.
var formats = map[string][]string{
	"date-time": {"2030-01-02T03:04:05Z", "2031-02-03T04:05:06Z"},
	"datetime":  {"2030-01-02T03:04:05Z", "2031-02-03T04:05:06Z"},
	"date":      {"2030-01-02", "2031-02-03"},
	"byte":      {"c2VhdHJpYWw=", "c2VhdHJpYWwy"},
	"ipv4":      {"192.0.2.17", "192.0.2.18"},
	"ipv6":      {"2001:db8::17", "2001:db8::18"},
	"ip":        {"192.0.2.17", "192.0.2.18"},
	"cidr":      {"192.0.2.0/24", "198.51.100.0/24"},
	"mac":       {"02:00:00:00:00:17", "02:00:00:00:00:18"},
	"email":     {"one@example.com", "two@example.com"},
	"uuid":      {"11111111-2222-4333-8444-555555555555", "11111111-2222-4333-8444-666666666666"},
	"uuid3":     {"11111111-2222-3333-8444-555555555555", "11111111-2222-3333-8444-666666666666"},
	"uuid4":     {"11111111-2222-4333-8444-555555555555", "11111111-2222-4333-8444-666666666666"},
	"uuid5":     {"11111111-2222-5333-8444-555555555555", "11111111-2222-5333-8444-666666666666"},
	"hexcolor":  {"#112233", "#445566"},
	"rgbcolor":  {"rgb(1,2,3)", "rgb(4,5,6)"},
	"bsonobjectid": {
		"5f1a2b3c4d5e6f7081920a1b", "5f1a2b3c4d5e6f7081920a1c",
	},
	"creditcard": {"4111111111111111", "5500000000000004"},
	"isbn":       {"9780306406157", "9783161484100"},
	"isbn10":     {"0306406152", "316148410X"},
	"isbn13":     {"9780306406157", "9783161484100"},
	"ssn":        {"111-22-3333", "222-33-4444"},
}

// stringSample is the number-th text that is valid: a sentinel where the schema allows it.
func stringSample(s *sampler, p *schema.Property, number int) string {
	l := limitOf(p.Schema)
	if text := s.draw.seconds(number); l.format == "duration" && l.matches(text) {
		return text
	}
	if known := formats[l.format]; known != nil && l.matches(known[number%len(known)]) {
		return known[number%len(known)]
	}
	sentinel := s.text()
	if l.format == "uri" {
		sentinel = "http://" + sentinel + ".example.com/"
	} else if l.format == "hostname" {
		sentinel += ".example.com"
	}
	for _, text := range []string{sentinel, longer(sentinel, int(l.shortest)), strings.ReplaceAll(sentinel, "-", "_"), strings.ReplaceAll(sentinel, "-", "x"), "/" + sentinel, "http://" + sentinel + ".example.com"} {
		if text != "" && l.matches(text) {
			return text
		}
	}
	if n := int(l.longest); n > 0 && n < len(sentinel) { // its end is where it differs from others
		if end := strings.TrimLeft(sentinel[len(sentinel)-n:], "-"); l.matches(end) {
			return end
		}
	}
	if text, ok := l.drawn(s.draw.Property, number); ok {
		return text
	}
	if l.longest >= 0 && int(l.longest) < len(sentinel) {
		return sentinel[len(sentinel)-int(l.longest):]
	}
	return sentinel
}
