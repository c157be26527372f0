package change

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// texts are endings of files in formats of which only the lines are known. Many a program reads one by itself.
var texts = []string{"", ".conf", ".config", ".cfg", ".cnf", ".hcl", ".xml", ".textproto", ".txtpb", ".prototxt", ".pbtxt"}

// Textual tells whether only the lines of a file of that name are read.
func Textual(name string) bool {
	extension := Extension(name)
	return slices.Contains(texts, extension) && !strings.HasSuffix(path.Base(name), ".")
}

// lines adds what each line of a text says that no format is known of: its first word, within the blocks and sections
// around it, and the rest. A block begins with a line that ends in a bracket, a section is named in brackets. That only
// tells lines apart: what the words are is the program's.
func (r *reader) lines(text []byte) {
	var blocks []string
	section := ""
	times := map[string]int{}
	for i, line := range split(text) {
		line = strings.TrimSpace(line)
		header, opens := strings.CutSuffix(line, "{")
		switch {
		case line == "" || slices.ContainsFunc([]string{"#", "//", ";", "<!--", "<?"}, func(mark string) bool { return strings.HasPrefix(line, mark) }):
			continue
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section, blocks = strings.Trim(line, "[]"), nil
			continue
		case strings.Trim(line, "}]),;") == "":
			blocks = blocks[:max(len(blocks)-1, 0)]
			continue
		}
		key, value := firstWord(line)
		if opens {
			key, value = strings.TrimSpace(header), ""
		}
		at := section
		for _, step := range append(slices.Clone(blocks), key) {
			at = join(at, step)
		}
		if times[at]++; times[at] > 1 {
			at = fmt.Sprintf("%s (%d)", at, times[at])
		}
		if opens {
			blocks = append(blocks, key)
		}
		r.add(Line, "", at, Value{Type: Text, text: value}, i+1)
	}
}

// firstWord is the first word of a line, and what is behind it.
func firstWord(line string) (word, rest string) {
	end := strings.IndexAny(line, " \t=:>")
	if end <= 0 {
		return line, ""
	}
	return strings.TrimPrefix(line[:end], "<"), strings.TrimLeft(line[end:], " \t=:>")
}
