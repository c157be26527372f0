package iostreams

import "testing"

func TestColor(t *testing.T) {
	cases := []struct {
		name string
		mode ColorMode
		term Terminal
		want bool
	}{
		{"a terminal", ColorAuto, Terminal{Out: true}, true},
		{"a pipe", ColorAuto, Terminal{}, false},
		{"NO_COLOR on a terminal", ColorAuto, Terminal{Out: true, Env: map[string]string{"NO_COLOR": "1"}}, false},
		{"an empty NO_COLOR says nothing", ColorAuto, Terminal{Out: true, Env: map[string]string{"NO_COLOR": ""}}, true},
		{"CLICOLOR_FORCE on a pipe", ColorAuto, Terminal{Env: map[string]string{"CLICOLOR_FORCE": "1"}}, true},
		{"CLICOLOR_FORCE=0 says nothing", ColorAuto, Terminal{Env: map[string]string{"CLICOLOR_FORCE": "0"}}, false},
		{"NO_COLOR beats CLICOLOR_FORCE", ColorAuto, Terminal{Out: true, Env: map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}}, false},
		{"TERM=dumb", ColorAuto, Terminal{Out: true, Env: map[string]string{"TERM": "dumb"}}, false},
		{"CLICOLOR=0", ColorAuto, Terminal{Out: true, Env: map[string]string{"CLICOLOR": "0"}}, false},
		{"the flag beats NO_COLOR", ColorAlways, Terminal{Env: map[string]string{"NO_COLOR": "1"}}, true},
		{"the flag beats CLICOLOR_FORCE", ColorNever, Terminal{Out: true, Env: map[string]string{"CLICOLOR_FORCE": "1"}}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, _, _ := Test("", c.term)
			if got := s.ColorOut(c.mode); got != c.want {
				t.Errorf("got %v", got)
			}
			c.term.Err, c.term.Out = c.term.Out, false
			s, _, _ = Test("", c.term)
			if got := s.ColorErr(c.mode); got != c.want {
				t.Errorf("on stderr: got %v", got)
			}
		})
	}
	s, _, _ := Test("", Terminal{Out: true, Env: map[string]string{"CLICOLOR_FORCE": "1"}})
	if s.ColorFile(ColorAuto) || !s.ColorFile(ColorAlways) {
		t.Error("a file is coloured only when the flag says so")
	}
}

func TestUTF8TakesTheFirstLocaleThatIsSet(t *testing.T) {
	cases := []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{"LANG": "en_GB.UTF-8"}, true},
		{map[string]string{"LANG": "C.utf8"}, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
	}
	for _, c := range cases {
		s, _, _ := Test("", Terminal{Env: c.env})
		if got := s.UTF8(); got != c.want {
			t.Errorf("%v: got %v", c.env, got)
		}
	}
}

func TestWidthAndRewritable(t *testing.T) {
	for _, c := range []struct {
		term       Terminal
		width      int
		rewritable bool
	}{
		{Terminal{}, 80, false},
		{Terminal{Columns: 200}, 80, false},
		{Terminal{Out: true, Err: true}, 80, true},
		{Terminal{Out: true, Columns: 200}, 120, false},
		{Terminal{Out: true, Columns: 20}, 60, false},
		{Terminal{Out: true, Columns: 100}, 100, false},
		{Terminal{Err: true, Env: map[string]string{"TERM": "dumb"}}, 80, false},
	} {
		s, _, _ := Test("", c.term)
		if s.Width() != c.width || s.Rewritable() != c.rewritable {
			t.Errorf("%+v: width %d, rewritable %v", c.term, s.Width(), s.Rewritable())
		}
	}
}
