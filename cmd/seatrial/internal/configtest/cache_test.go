package configtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What nobody asks for goes in the end; what is asked for stays, and so does what is beside it.
func TestCacheIsSwept(t *testing.T) {
	all := t.TempDir()
	mine, other := cache(filepath.Join(all, "mine")), cache(filepath.Join(all, "other"))
	mine.keepLinked("a", "1")
	mine.keepLinked("b", "2")
	other.keepLinked("a", "3")
	old := time.Now().Add(-forgotten - time.Hour)
	for _, name := range []string{"mine/linked-a.json", "mine/linked-b.json", "other/linked-a.json", "mine", "other"} {
		if err := os.Chtimes(filepath.Join(all, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if got := mine.linked("b"); got != "2" { // it is asked for
		t.Fatalf("it is %q", got)
	}
	mine.sweep(time.Now())
	for _, c := range []struct {
		of        cache
		key, want string
	}{{mine, "a", ""}, {mine, "b", "2"}, {other, "a", "3"}} {
		if got := c.of.linked(c.key); got != c.want {
			t.Errorf("%s of %s is %q, want %q", c.key, c.of, got, c.want)
		}
	}
}
