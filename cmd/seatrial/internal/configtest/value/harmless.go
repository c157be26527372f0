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

// off are words of names of what is often turned off by nothing of it: what it does, and what a test may be about, is no more then, as it is meant.
var off = []string{
	"retry", "retries", "attempts", "tries", "delay", "backoff", "jitter", "sample", "sampling", "rate", "ratio", "grace", "cooldown", "warmup", "linger", "splay", "min", "minimum", "offset", "skew", "verbosity", "level", "tolerance",
	"slack", "burst", "spare", "cache", "prefetch", "readahead", "lookahead", "lookback",
}

// Dispensable tells whether nothing of a parameter of that name may well be meant.
func Dispensable(name string) bool {
	return (&asked{words: words(name[strings.LastIndex(name, ".")+1:])}).named(off...)
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
