package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandsOn: where a test fails for an error it asserts nothing of a value, and so it is where a helper does nothing
// else.
func TestHandsOn(t *testing.T) {
	const text = `package a

func TestA(t *testing.T) {
	if _, err := New(); err != nil {
		t.Fatal(err) // yes
	}
	if got := Title(); got != "today" {
		t.Error(got) // no
	}
	if x, err := Size(); err != nil {
		t.Fatal(err) // yes
	} else if x != 1 {
		t.Error(x) // no
	}
	if err := New(); err != nil && Size() == 3 {
		t.Error(err) // no
	}
	require.NoError(t, New()) // yes
	assert.Equal(t, "a", Title()) // no
	c := load(t) // yes
	use(same(t)) // no
	t.Fatal(load(t)) // no
}

func load(t *testing.T) *Config {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func same(t *testing.T) *Config {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "today" {
		t.Fatal(c.Title)
	}
	return c
}
`
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "a_test.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m := Of(folder, "")
	for n, line := range strings.Split(text, "\n") {
		code, want, is := strings.Cut(line, "// ")
		if !is {
			continue
		}
		if got := m.HandsOn(".", fmt.Sprintf("a_test.go:%d", n+1)); got != (want == "yes") {
			t.Errorf("%s: %t, want %s", strings.TrimSpace(code), got, want)
		}
	}
}
