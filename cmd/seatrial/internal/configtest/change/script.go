package change

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Many a container has a shell that calls its program: sh -c "exec web --level=high". What that is told is what the
// program is told, if it is certain which of the words are.

// scriptPath is what the rest of such a script is called: all that is not the program with its arguments.
const scriptPath = "sh -c"

var (
	shells = []string{"sh", "bash", "ash", "dash"}
	// assigned is for a variable that is set before a program; that is no program.
	assigned = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	// controls are words that stand where a program does, and decide which programs are called, or whether.
	controls = []string{"if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "{", "}", "!", "[[", "function", "eval", "trap"}
)

// scripted are the arguments of the program that a shell is to call, and what else its script says: all of it if it is
// not certain which program that is. What is no script stays as it is.
func scripted(all []*node, known variables) (program []*node, rest *node) {
	at := scriptAt(all)
	if at < 0 {
		return all, nil
	}
	script := all[at]
	l := &lexer{script: script.text, known: known}
	words, closed := l.words()
	from, to := calling(words)
	if !closed || from < 0 {
		from, to = len(words), len(words)
	}
	var left []string
	behind, hidden := false, script.hidden
	for i, w := range words {
		switch {
		case i < from || i >= to:
			left, hidden = append(left, w.raw), hidden || w.secret
		case w.text == "exec" && i == from && !w.unknown:
		case w.all && !behind:
			behind = true
			program = append(program, all[min(at+2, len(all)):]...) // what is first is the name of the script
		default:
			n := &node{line: script.line, typ: Text, text: w.text, hidden: script.hidden || w.secret}
			if script.first > 0 {
				n.line = script.first + w.line
			}
			if w.unknown {
				n.typ = Reference
			}
			program = append(program, n)
		}
	}
	for _, n := range all[at+1:] {
		if !behind {
			left, hidden = append(left, n.says()), hidden || n.hidden
		}
	}
	return program, &node{line: script.line, typ: Text, text: strings.Trim(strings.Join(left, " "), " \n"), hidden: hidden}
}

// scriptAt is which argument is the script of a shell; -1 if there is none.
func scriptAt(all []*node) int {
	if len(all) == 0 || !slices.Contains(shells, path.Base(all[0].says())) {
		return -1
	}
	script := false
	for i := 1; i < len(all); i++ {
		text := all[i].says()
		if len(text) < 2 || text[0] != '-' && text[0] != '+' || text[1] == '-' {
			if script {
				return i
			}
			return -1
		}
		script = script || text[0] == '-' && strings.Contains(text, "c")
		if strings.HasSuffix(text, "o") { // the name of an option is behind it
			i++
		}
	}
	return -1
}

// calling is where the words are of the program that a script calls last: the one that takes the place of the shell
// (exec), or the last one if each is called whatever the others do. It ends before what becomes of its output; -1 if it
// is not certain which that is.
func calling(words []word) (from, to int) {
	last, taking, certain := -1, -1, true
	begins := true
	for i, w := range words {
		switch {
		case w.operator:
			certain = certain && slices.Contains([]string{"&&", ";", "\n", "<", ">", ">>", ">&", "&>"}, w.text)
			begins = !slices.Contains([]string{"<", ">", ">>", ">&", "<&", "&>", "<<"}, w.text)
			if w.text == "(" || w.text == ")" || w.text == "<<" || w.text == ";;" {
				return -1, -1
			}
		case !begins || assigned.MatchString(w.raw):
		case slices.Contains(controls, w.raw):
			return -1, -1
		default:
			if last, begins = i, false; w.raw == "exec" {
				taking = i
			}
		}
	}
	switch {
	case taking >= 0:
		from = taking
	case certain && last >= 0:
		from = last
	default:
		return -1, -1
	}
	for to = from; to < len(words) && !words[to].operator; to++ {
		if digits := words[to].raw; to+1 < len(words) && words[to+1].operator && (digits == "1" || digits == "2") && strings.ContainsAny(words[to+1].text, "<>") {
			break // of which output it is
		}
	}
	if first := from + 1; words[from].raw == "exec" && (first >= to || strings.HasPrefix(words[first].raw, "-")) {
		return -1, -1
	}
	return from, to
}
