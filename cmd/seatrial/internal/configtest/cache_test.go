package configtest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What nobody asks for goes in the end, also that of another seatrial; what is asked for stays.
func TestCacheIsSwept(t *testing.T) {
	all := t.TempDir()
	mine, other, builds := cache(filepath.Join(all, "mine")), cache(filepath.Join(all, "other")), filepath.Join(all, "builds")
	mine.keepLinked("a", "1")
	mine.keepLinked("b", "2")
	other.keepLinked("a", "3")
	if err := os.Mkdir(builds, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-forgotten - time.Hour)
	for _, name := range []string{"mine/linked-a.json", "mine/linked-b.json", "other"} {
		if err := os.Chtimes(filepath.Join(all, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if got := mine.linked("b"); got != "2" {
		t.Fatalf("it is %q", got)
	}
	mine.sweep(time.Now())
	var left []string
	for _, pattern := range []string{"*", "mine/*"} {
		found, err := filepath.Glob(filepath.Join(all, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			name, _ := filepath.Rel(all, file)
			left = append(left, name)
		}
	}
	if want := []string{"builds", "mine", "mine/linked-b.json"}; !slices.Equal(left, want) {
		t.Errorf("%q are left, want %q", left, want)
	}
}
