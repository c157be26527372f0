package value

import (
	"net"
	"net/url"
	"strconv"
	"strings"
)

func init() {
	register(30, func(text string) ([]string, bool) {
		host, port, err := net.SplitHostPort(text)
		if err != nil || strings.Contains(text, "/") {
			return nil, false
		}
		n, err := strconv.Atoi(port)
		if err != nil || n < 0 || n > 65533 {
			return nil, false
		}
		return []string{net.JoinHostPort(host, strconv.Itoa(n+1)), net.JoinHostPort(host, strconv.Itoa(n+2))}, true
	})
	register(31, func(text string) ([]string, bool) {
		u, err := url.Parse(text)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return nil, false
		}
		other := *u
		other.Host = "other." + u.Host
		if port, err := strconv.Atoi(u.Port()); err == nil && port > 0 && port < 65535 { // on the same host nothing needs to be found
			near := *u
			near.Host = net.JoinHostPort(u.Hostname(), strconv.Itoa(port+1))
			return []string{near.String(), other.String()}, true
		}
		return []string{other.String()}, true
	})
	register(32, func(text string) ([]string, bool) {
		ip := net.ParseIP(text)
		if ip == nil {
			return nil, false
		}
		switch {
		case ip.IsLoopback() && ip.To4() != nil:
			return []string{"127.0.0.2"}, true
		case ip.IsUnspecified() && ip.To4() != nil:
			return []string{"127.0.0.1"}, true
		}
		return nil, true
	})
}
