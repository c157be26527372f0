package journal

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestJournal: what was noted is there again for the same head, up to a line that was cut off.
func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.jsonl")
	open := func(head string, resume bool, note ...string) (lines []string) {
		t.Helper()
		j, err := Open(path, map[string]string{"of": head}, resume, func(line []byte) bool {
			if line[len(line)-1] != '"' {
				return false
			}
			lines = append(lines, string(line))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		for _, one := range note {
			j.Note(one)
		}
		return lines
	}
	if got := open("x", true, "one", "two"); got != nil {
		t.Errorf("%q", got)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`"thr`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := open("x", true, "three"); !slices.Equal(got, []string{`"one"`, `"two"`}) {
		t.Errorf("%q", got)
	}
	if got := open("x", true); !slices.Equal(got, []string{`"one"`, `"two"`, `"three"`}) {
		t.Errorf("%q", got)
	}
	if got := open("y", true, "four"); got != nil {
		t.Errorf("%q", got)
	}
	if got := open("y", false); got != nil {
		t.Errorf("%q", got)
	}
	if got := open("y", true); got != nil {
		t.Errorf("begun anew, and yet there is %q", got)
	}
	var none *Journal
	none.Note("nobody hears it")
	none.Close()
}
