package input

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// dollar is what of a $ is not expanded here: a name, a command, a number.
var dollar = regexp.MustCompile(`^\$(\{|\(|[A-Za-z_0-9@*#?$!-])`)

// Split splits a command into words as a shell would, and does nothing else that a shell does:
// quotes and backslashes count, placeholders stay. What only a shell can do is an error.
func Split(command string) ([]string, error) {
	s := splitter{rest: command}
	for s.rest != "" {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	s.end()
	if len(s.words) == 0 {
		return nil, errors.New("there is no program in it")
	}
	return s.words, nil
}

type splitter struct {
	rest  string
	word  strings.Builder
	begun bool
	words []string
}

func (s *splitter) end() {
	if s.begun {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.begun = false
}

// add takes the first n bytes into the word.
func (s *splitter) add(n int) {
	s.word.WriteString(s.rest[:n])
	s.rest, s.begun = s.rest[n:], true
}

const noShell = "no shell runs the command, so %s would not work: write a script that does it, and give that"

func (s *splitter) next() error {
	c := s.rest[0]
	switch c {
	case ' ', '\t', '\n', '\r':
		s.end()
		s.rest = s.rest[1:]
		return nil
	case '\'':
		inside, rest, ok := strings.Cut(s.rest[1:], "'")
		if !ok {
			return errors.New("a ' is not closed")
		}
		s.word.WriteString(inside)
		s.rest, s.begun = rest, true
		return nil
	case '"':
		return s.quoted()
	case '\\':
		if len(s.rest) < 2 {
			return errors.New("it ends with a \\")
		}
		if s.rest[1] == '\n' { // the line goes on
			s.rest = s.rest[2:]
			return nil
		}
		s.rest = s.rest[1:]
		s.add(1)
		return nil
	case '|', ';', '&', '<', '>', '(', ')', '`':
		return fmt.Errorf(noShell, string(c))
	case '$':
		return s.variable()
	case '~':
		if !s.begun && (len(s.rest) == 1 || s.rest[1] == '/') {
			return fmt.Errorf(noShell, "~")
		}
	case '#':
		if !s.begun {
			return fmt.Errorf(noShell, "#")
		}
	}
	s.add(1)
	return nil
}

// quoted takes what is in double quotes.
func (s *splitter) quoted() error {
	s.rest, s.begun = s.rest[1:], true
	for s.rest != "" {
		switch s.rest[0] {
		case '"':
			s.rest = s.rest[1:]
			return nil
		case '\\':
			if strings.HasPrefix(s.rest, "\\\n") { // the line goes on
				s.rest = s.rest[2:]
				continue
			}
			if len(s.rest) > 1 && strings.ContainsRune("\"\\$`", rune(s.rest[1])) {
				s.rest = s.rest[1:]
			}
			if s.rest != "" {
				s.add(1)
			}
		case '`':
			return fmt.Errorf(noShell, "`")
		case '$':
			if err := s.variable(); err != nil {
				return err
			}
		default:
			s.add(1)
		}
	}
	return errors.New("a \" is not closed")
}

// variable takes a $, or a placeholder.
func (s *splitter) variable() error {
	if found := placeholder.FindString(s.rest); found != "" && strings.HasPrefix(s.rest, found) {
		s.add(len(found))
		return nil
	}
	if found := dollar.FindString(s.rest); found != "" {
		if found == "$(" {
			return fmt.Errorf("%s is no placeholder (there are %s), and no shell runs the command: put a literal $ in single quotes, and double it", upTo(s.rest, ')'), placeholders)
		}
		return fmt.Errorf("no shell runs the command, so %s would not be expanded: write its value, or give it with --env", variableName.FindString(s.rest))
	}
	s.add(1)
	return nil
}

var variableName = regexp.MustCompile(`^\$(\{[^}]*\}?|[A-Za-z_][A-Za-z_0-9]*|.)`)

// upTo is a text until behind a byte.
func upTo(text string, end byte) string {
	if i := strings.IndexByte(text, end); i >= 0 {
		return text[:i+1]
	}
	return text
}
