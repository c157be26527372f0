package value

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// likeNow is a text in the form of one that is there; nil where that has none. A text that is drawn is a name. What is
// no name is mostly read by somebody (a version, a duration, an address, a switch), though a schema that comes from Go
// says only that it is a string, so that whoever reads it would see no valid change.
func likeNow(s *sampler, now string, l *limit) *Case {
	for _, form := range forms {
		if text := form.like(s, now); text != "" && text != now && l.matches(text) {
			return &Case{Name: form.name, Value: text}
		}
	}
	return nil
}

// forms give another text in the form of one, or an empty one where it is in another. The first that does counts.
var forms = []struct {
	name string
	like func(s *sampler, now string) string
}{
	{"another range, in its form", rangeLike},
	{"one more, in its form", numberLike},
	{"the other, in its form", switchLike},
	{"another, in its form", addressLike},
	{"one more key, in its form", objectLike},
	{"one more pair, in its form", pairsLike},
}

// rangeLike is the next range of addresses of the same size.
func rangeLike(_ *sampler, now string) string {
	p, err := netip.ParsePrefix(now)
	if err != nil || !p.Addr().Is4() || p.Bits() == 0 {
		return ""
	}
	a := p.Masked().Addr().As4()
	n := uint32(a[0])<<24 | uint32(a[1])<<16 | uint32(a[2])<<8 | uint32(a[3])
	n += 1 << (32 - p.Bits())
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}), p.Bits()).String()
}

// numberLike has another last number: 31d for 30d, 1.2.4 for 1.2.3, v2 for v1, PT6M for PT5M. Names begin with a
// letter, and more.
func numberLike(_ *sampler, now string) string {
	if !counts(now) {
		return ""
	}
	at := lastNumber.FindStringSubmatchIndex(now)[2:]
	n, err := strconv.ParseUint(now[at[0]:at[1]], 10, 63)
	if err != nil {
		return ""
	}
	return now[:at[0]] + fmt.Sprintf("%0*d", at[1]-at[0], n+1) + now[at[1]:]
}

var (
	// versions begin with few letters, and spans of ISO 8601 with a P; behind the name of an image is one of the
	// former.
	versions = regexp.MustCompile(`^(?:[vV][0-9]|[A-Za-z]{1,2}[0-9]+(?:\.[0-9]+)+)`)
	spans    = regexp.MustCompile(`^P(?:[0-9]+[YMWD])*(?:T(?:[0-9]+[HMS])+)?$`)
	tagged   = regexp.MustCompile(`^[a-z][-a-z0-9._/]*:v?[0-9]+\.[0-9]`)
)

// counts tells whether a text counts something.
func counts(text string) bool {
	return text != "" && text[0] >= '0' && text[0] <= '9' || versions.MatchString(text) || spans.MatchString(text) && lastNumber.MatchString(text) || tagged.MatchString(text)
}

var lastNumber = regexp.MustCompile(`([0-9]+)[^0-9]*$`)

// switches are pairs of texts one of which is the contrary of the other.
var switches = [][2]string{{"true", "false"}, {"True", "False"}, {"yes", "no"}, {"on", "off"}, {"enabled", "disabled"}}

func switchLike(_ *sampler, now string) string {
	for _, pair := range switches {
		switch now {
		case pair[0]:
			return pair[1]
		case pair[1]:
			return pair[0]
		}
	}
	return ""
}

// addressLike is another path, URL, mailbox, or host with a port.
func addressLike(s *sampler, now string) string {
	if strings.ContainsAny(now, " \t\n\"'") {
		return ""
	}
	if strings.HasPrefix(now, "/") {
		return "/" + s.text()
	}
	if strings.Contains(now, "://") {
		u, err := url.Parse(now)
		if err != nil || u.Host == "" {
			return ""
		}
		host := s.text() + ".example.com"
		if u.Port() != "" {
			host += ":" + u.Port()
		}
		u.Host = host
		return u.String()
	}
	if at := mailbox.FindStringSubmatch(now); at != nil {
		return s.text() + at[1]
	}
	if at := hostPort.FindStringSubmatch(now); at != nil {
		return s.text() + ".example.com:" + at[1]
	}
	return ""
}

// objectLike is an object of JSON with one key more.
func objectLike(s *sampler, now string) string {
	var all map[string]any
	if !strings.HasPrefix(strings.TrimSpace(now), "{") || json.Unmarshal([]byte(now), &all) != nil {
		return ""
	}
	added := s.text()
	all[added] = added
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(text)
}

// pairsLike are pairs of names and values with one more.
func pairsLike(s *sampler, now string) string {
	if !pairs.MatchString(now) {
		return ""
	}
	added := s.text()
	return now + "," + added + "=" + added
}

var pairs = regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9_./]*=[^,\s=]*(?:,[A-Za-z][-A-Za-z0-9_./]*=[^,\s=]*)*$`)

var mailbox = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9.+_]*(@[A-Za-z0-9][-A-Za-z0-9]*(?:\.[A-Za-z0-9][-A-Za-z0-9]*)+)$`)

var hostPort = regexp.MustCompile(`^[A-Za-z][-A-Za-z0-9.]*:([0-9]{1,5})$`)
