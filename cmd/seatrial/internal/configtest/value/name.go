package value

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

func init() {
	sorted(sort{40, "address", func(p *asked) bool {
		_, port, err := net.SplitHostPort(p.plain)
		_, no := strconv.ParseUint(port, 10, 16)
		return p.shaped() && !strings.HasPrefix(p.Type, "map[") && err == nil && no == nil && !strings.Contains(p.plain, "/")
	}, func(p *asked) {
		host, port, _ := net.SplitHostPort(p.plain)
		for _, other := range texts(p.plain, nil) {
			p.add(Valid, other, "another port")
		}
		p.add(Invalid, net.JoinHostPort(host, "65536"), "a port above the largest one")
		p.add(Invalid, "a:b:"+port, "no address")
		p.add(Unsure, net.JoinHostPort(host, "0"), "any port")
		p.add(Unsure, host, "without a port")
		p.add(Unsure, "", "empty")
	}})
	sorted(sort{41, "url", func(p *asked) bool {
		u, err := url.Parse(p.plain)
		return p.shaped() && err == nil && u.Scheme != "" && u.Host != "" || p.plain == "" && p.shaped() && p.named("url", "endpoint")
	}, func(p *asked) {
		if p.plain == "" {
			p.add(Valid, "http://127.0.0.1:9", "some address")
		}
		for _, other := range texts(p.plain, nil) {
			p.add(Valid, other, "another host")
		}
		p.add(Invalid, "http://[::1", "no address")
		p.add(Invalid, "://", "no address")
		p.add(Unsure, "", "empty")
	}})
	sorted(sort{42, "path", func(p *asked) bool {
		return p.shaped() && (strings.HasPrefix(p.plain, "/") || p.named("path", "file", "directory", "dir"))
	}, func(p *asked) {
		p.add(Unsure, "/no/such/place", "a path at which nothing is")
		p.add(Unsure, "", "empty")
	}})
	sorted(sort{100, "text", func(*asked) bool { return true }, func(p *asked) {
		for _, other := range texts(p.plain, nil) {
			kind := Valid
			if !strings.Contains(other, p.plain) && (strings.Contains(p.plain, "%") || strings.Contains(p.plain, "{{")) {
				kind = Unsure // what is put into a text has no place in this one
			}
			if MadeUp(nil, []string{other}) && !strings.Contains(other, p.plain) && strings.ContainsAny(p.plain, "/@:.") {
				kind = Unsure // it has another form: it is no address of mail, and no name with a version
			}
			p.add(kind, other, "another text")
		}
		if p.plain == "" {
			p.add(Valid, "other", "some text")
		}
		p.add(Unsure, " ", "blank")
		p.add(Unsure, "", "empty")
	}})
}
