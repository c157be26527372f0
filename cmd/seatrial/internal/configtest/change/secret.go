package change

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// secretWords are what the last words of the name of a secret are.
var secretWords = [][]string{
	{"password"},
	{"passwd"},
	{"passphrase"},
	{"pwd"},
	{"secret"},
	{"token"},
	{"credential"},
	{"apikey"},
	{"dsn"},
	{"api", "key"},
	{"access", "key"},
	{"private", "key"},
	{"secret", "key"},
	{"signing", "key"},
	{"encryption", "key"},
	{"master", "key"},
	{"session", "key"},
	{"hmac", "key"},
	{"account", "key"},
	{"shared", "key"},
	{"license", "key"},
	{"ssh", "key"},
	{"storage", "key"},
	{"cookie", "key"},
}

// likelyWords are last words of the names of secrets, and of other things: whether it is one is seen by the value.
var likelyWords = []string{"pass", "auth", "authorization", "bearer", "cookie", "salt"}

// modal are those of them by which many a program is told how something is done, with a word.
var modal = []string{"auth", "authorization"}

// plainWords are last words of what is said beside a secret, and is none.
var plainWords = []string{"name", "file", "path", "ref", "type", "kind"}

// ends tells whether words end with others.
func ends(of, with []string) bool {
	return len(of) >= len(with) && slices.Equal(of[len(of)-len(with):], with)
}

// named says whether what has a name is a secret, whatever it is, and several says whether it is more than one of them.
func named(name string) (is, several bool) {
	of := words(name)
	if len(of) == 0 {
		return false, false
	}
	last := of[len(of)-1]
	if slices.ContainsFunc(secretWords, func(w []string) bool { return ends(of, w) }) {
		return true, false
	}
	of[len(of)-1] = strings.TrimSuffix(last, "s")
	return false, of[len(of)-1] != last && slices.ContainsFunc(secretWords, func(w []string) bool { return ends(of, w) })
}

// likely says whether a text that has a name, which may be that of a secret, is one.
func likely(name, text string) bool {
	if is, several := named(name); is || several && !counts(text) {
		return true
	}
	return slices.ContainsFunc(likelyWords, func(word string) bool {
		of := words(name)
		return (ends(of, []string{word}) || ends(of, []string{word + "s"})) && credible(text) && !(slices.Contains(modal, word) && isWord(text))
	})
}

// credible says whether a text may be a secret. Truths, times and small numbers are said of secrets.
func credible(text string) bool {
	const small = 4
	if _, err := strconv.ParseBool(text); err == nil || slices.Contains([]string{"", "null", "{}", "[]"}, text) {
		return false
	}
	return !counts(text) || len(text) >= small && !strings.ContainsFunc(text, unicode.IsLetter)
}

// counts tells whether a text is a number, or a time.
func counts(text string) bool {
	_, noTime := time.ParseDuration(text)
	_, noNumber := strconv.ParseFloat(text, 64)
	return noTime == nil || noNumber == nil
}

func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}

// secret says whether a value is one, by the name of its parameter or of what that is in, or since it is a private key,
// an address with a password in it, or has a pair whose name says so, as flags that take maps and variables with
// headers.
func secret(path, text string) bool {
	all := slices.DeleteFunc(steps(path), func(step string) bool { _, is := place(step); return is })
	if len(all) > 0 {
		last := all[len(all)-1]
		// The words of a name may be in several steps, as api.key.
		together := strings.Join(all[max(0, len(all)-mostSteps):], "_")
		if likely(last, text) || credible(text) && likely(together, text) || ends(words(last), []string{"key"}) && random(text) || slices.ContainsFunc(all[:len(all)-1], func(step string) bool { return holds(step, last, text) }) {
			return true
		}
	}
	return strings.Contains(text, "PRIVATE KEY-----") || len(passwords(text)) > 0 || hasPair(text) // as PEM begins and ends
}

// mostSteps is in how many the name of a secret is looked for.
const mostSteps = 3

// random says whether a text looks as if nobody had thought of it: long, in one piece, with letters and figures, and
// neither a path nor a name with dots.
func random(text string) bool {
	const long = 16
	return len(text) >= long && !strings.HasPrefix(text, "/") && !strings.ContainsAny(text, " .:\n") && strings.ContainsFunc(text, unicode.IsLetter) && strings.ContainsFunc(text, unicode.IsDigit)
}

// holds says whether what has a name of a secret has a text below it that is one.
func holds(name, below, text string) bool {
	is, several := named(name)
	of := words(below)
	return (is || several && !counts(text)) && credible(text) && !slices.ContainsFunc(plainWords, func(w string) bool { return ends(of, []string{w}) })
}

// colon is a name with a value as YAML, JSON and headers have it, and not a host with a port.
var colon = regexp.MustCompile(`([\w.-]+)(?:["']\s*:\s*|:[ \t]+)["']?([^\s"',}\]]+)`)

// hasPair tells whether a text has a name of a secret with a value: a=b, as in maps and in what follows an address, or
// a: b, as in headers.
func hasPair(text string) bool {
	of := func(name, value string) bool {
		return value != "" && (ends(words(name), []string{"authorization"}) || likely(name, value))
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\",;[]{}\x00?&#", r) }) {
		if name, value, _ := strings.Cut(word, "="); !strings.Contains(name, "/") && of(name, value) {
			return true
		}
	}
	return slices.ContainsFunc(colon.FindAllStringSubmatch(text, -1), func(pair []string) bool { return of(pair[1], pair[2]) })
}

// port is what may be behind the colon of an address without a password, which may be one of several.
var port = regexp.MustCompile(`^[0-9]*([,;\]})].*)?$`)

// network is a password as drivers of databases take it before an address: user:password@tcp(host).
var network = regexp.MustCompile(`(?:^|[\s"'=])[^\s:/@"'=]*:(\S+)@(?:tcp|tcp4|tcp6|udp|unix)\(`)

// passwords are those of the addresses in a text, and those behind flags of a command in it. A password may have in it
// all that ends an address elsewhere.
func passwords(text string) (out []string) {
	for _, found := range network.FindAllStringSubmatch(text, -1) {
		out = append(out, found[1])
	}
	of := strings.Fields(text)
	for i, name := range of {
		if i+1 == len(of) || !strings.HasPrefix(name, "-") || strings.HasPrefix(of[i+1], "-") || strings.ContainsAny(name, "=:") || slices.Contains(words(name), "no") {
			continue
		}
		if value := strings.Trim(of[i+1], `"';`); value != "" && likely(name, value) {
			out = append(out, value)
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || r == '"' || r == 0 }) {
		for _, address := range strings.Split(word, "://")[1:] {
			host := address[:strings.IndexAny(address+"/", "/?#")]
			at, end := strings.LastIndexByte(host, '@'), strings.LastIndexByte(host, ':')
			if at < 0 && end >= 0 && !port.MatchString(host[end+1:]) {
				at = strings.LastIndexByte(address, '@')
			}
			if _, password, _ := strings.Cut(address[:max(at, 0)], ":"); password != "" {
				out = append(out, password)
			}
		}
	}
	return out
}

// words are those of a name, in small letters: dbAPIKey, db-api-key and DB_API_KEY are three.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			end()
			continue
		}
		begins := i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			end()
		}
		word = append(word, r)
	}
	end()
	return out
}
