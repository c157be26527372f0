package value

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// plainly is for words, of which none is a way to something.
var plainly = regexp.MustCompile(`^[A-Za-z0-9_%-]*$`)

// somewhere are words of names of what is somewhere.
var somewhere = []string{
	"port", "host", "hostname", "addr", "address", "listen", "bind", "url", "uri", "endpoint", "server", "upstream", "path", "dir", "directory", "folder", "file", "bucket", "topic", "database", "user", "account", "namespace",
}

// Harmless tells whether a parameter with a value says how something is done, and not where or to whom: a number, a duration, a truth, or a word.
func Harmless(name, value string) bool {
	p := &asked{words: words(name[strings.LastIndex(name, ".")+1:])}
	if p.named(somewhere...) {
		return false
	}
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return true
	}
	if _, err := time.ParseDuration(value); err == nil {
		return true
	}
	return plainly.MatchString(value)
}
