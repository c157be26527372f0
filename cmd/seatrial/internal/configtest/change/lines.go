package change

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parseDotenv reads lines of NAME=value, as shells and docker do; offset is the line before the first.
// A value in quotes may have several lines; a name alone is that of a variable which is handed on, and not set here.
// Nothing is put in for variables.
func parseDotenv(file string, offset int, text []byte) (*node, error) {
	root := &node{typ: Map, line: offset + 1}
	lines := split(text)
	for i := 0; i < len(lines); i++ {
		at, line := offset+i+1, strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "#") || alone.MatchString(line) {
			continue
		}
		name, value, is := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		name = strings.TrimSpace(name)
		if !is || !variable(name) {
			return nil, wrong(file, at, "this is not NAME=value")
		}
		whole := strings.TrimSpace(value)
		value, err := unquote(whole)
		for last := i + 1; err == notClosed && last < len(lines); last++ {
			if !strings.Contains(lines[last], whole[:1]) { // it cannot end here
				continue
			}
			var more string
			if value, more = unquote(whole + "\n" + strings.Join(lines[i+1:last+1], "\n")); more != notClosed {
				i, err = last, more
			}
		}
		if err != "" {
			return nil, wrong(file, at, err)
		}
		root.set(name, &node{line: at, typ: Text, text: value})
	}
	return root, nil
}

// alone is a name without a value.
var alone = regexp.MustCompile(`^(export +)?[A-Za-z_][A-Za-z0-9_]*$`)

const notClosed = "the quote is not closed"

// variable says whether a text can be the name of one.
func variable(name string) bool {
	return name != "" && !strings.ContainsAny(name, " \t\"'")
}

// unquote takes a value out of its quotes, or a comment from behind it; it says what is wrong with it.
func unquote(value string) (string, string) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		if before, _, is := strings.Cut(value, " #"); is {
			value = strings.TrimSpace(before)
		}
		return value, ""
	}
	quote := value[0]
	var out strings.Builder
	for i := 1; i < len(value); i++ {
		switch c := value[i]; {
		case c == quote:
			if rest := strings.TrimSpace(value[i+1:]); rest != "" && !strings.HasPrefix(rest, "#") {
				return "", "there is something behind the quote: a value is quoted whole"
			}
			return out.String(), ""
		case c == '\\' && quote == '"' && i+1 < len(value):
			i++
			if at := strings.IndexByte("nrt", value[i]); at >= 0 {
				out.WriteByte("\n\r\t"[at])
			} else {
				out.WriteByte(value[i])
			}
		default:
			out.WriteByte(c)
		}
	}
	return "", notClosed
}

// parseProperties reads a file as java.util.Properties does; offset is the line before the first. All
// keys are flat.
func parseProperties(file string, offset int, text []byte) (*node, error) {
	root := &node{typ: Map, line: offset + 1}
	lines := split(text)
	for i := 0; i < len(lines); i++ {
		at := offset + i + 1
		line := strings.TrimLeft(lines[i], " \t\f")
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		for continued(line) {
			line = line[:len(line)-1]
			if i+1 == len(lines) {
				break
			}
			i++
			line += strings.TrimLeft(lines[i], " \t\f")
		}
		end := keyEnd(line)
		rest := strings.TrimLeft(line[end:], " \t\f")
		if rest != "" && (rest[0] == '=' || rest[0] == ':') {
			rest = strings.TrimLeft(rest[1:], " \t\f")
		}
		key, bad := unescape(line[:end])
		value, worse := unescape(rest)
		if bad || worse {
			return nil, wrong(file, at, `\u has four hexadecimal digits behind it`)
		}
		root.set(key, &node{line: at, typ: Text, text: value})
	}
	return root, nil
}

// continued says whether a line goes on in the next: an odd number of backslashes ends it.
func continued(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// keyEnd is where the key of a line ends.
func keyEnd(line string) int {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '=', ':', ' ', '\t', '\f':
			return i
		}
	}
	return len(line)
}

// unescape puts in what backslashes stand for; bad is one that stands for nothing.
func unescape(text string) (string, bool) {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		if at := strings.IndexByte("nrtf", text[i]); at >= 0 {
			out.WriteByte("\n\r\t\f"[at])
			continue
		}
		if text[i] != 'u' {
			out.WriteByte(text[i])
			continue
		}
		if i+5 > len(text) {
			return "", true
		}
		code, err := strconv.ParseUint(text[i+1:i+5], 16, 16)
		if err != nil {
			return "", true
		}
		out.Write(utf8.AppendRune(nil, rune(code)))
		i += 4
	}
	return out.String(), false
}

func split(text []byte) []string {
	return strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
}
