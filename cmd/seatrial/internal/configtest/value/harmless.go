package value

import (
	"regexp"
	"slices"
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

// off are words of names of what is often turned off by nothing of it: what it does, and what a test may be about, is
// no more then, as it is meant.
var off = []string{
	"retry", "retries", "attempts", "tries", "delay", "backoff", "jitter", "sample", "sampling", "rate", "ratio", "grace", "cooldown", "warmup", "linger", "splay", "min", "minimum", "offset", "skew", "verbosity", "level", "tolerance",
	"slack", "burst", "spare", "cache", "prefetch", "readahead", "lookahead", "lookback",
}

// Dispensable tells whether nothing of a parameter of that name may well be meant.
func Dispensable(name string) bool {
	return (&asked{words: Words(name[strings.LastIndex(name, ".")+1:])}).named(off...)
}

// Harmless tells whether a parameter with a value says how something is done, and not where or to whom: a number, a
// duration, a truth, or a word.
func Harmless(name, value string) bool {
	p := &asked{words: Words(name[strings.LastIndex(name, ".")+1:])}
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

// absence are words for nothing of a kind: a test may well be about what is then missing.
var absence = []string{"none", "no", "off", "false", "never", "disabled", "disable", "null", "nil", "plain", "identity", "raw", "noop", "discard", "ignore", "insecure", "anonymous"}

// Absence tells whether a word says that there is nothing of what it is about.
func Absence(word string) bool { return slices.Contains(absence, strings.ToLower(Bare(word))) }

// anyWord are words of names of what may be any word, though a program knows some: the name of something.
var anyWord = []string{"env", "environment", "stage", "profile", "tier", "region", "zone", "cluster", "tenant", "team", "site", "name", "id", "label", "tag", "prefix", "suffix", "key", "branch", "version", "channel", "group", "owner", "salt", "secret", "token", "password"}

// identity are last words of names of what may be any name of one of several.
var identity = []string{"name", "id", "identity", "hostname", "node", "member", "instance"}

// Identity tells whether a parameter is what one of several is called, as far as its name says so.
func Identity(name string) bool {
	words := Words(name[strings.LastIndex(name, ".")+1:])
	return len(words) > 0 && slices.Contains(identity, words[len(words)-1])
}

// AnyWord tells whether a parameter may be any word, as far as its name says so.
func AnyWord(name string) bool {
	return (&asked{words: Words(name[strings.LastIndex(name, ".")+1:])}).named(append(slices.Clone(anyWord), somewhere...)...)
}
