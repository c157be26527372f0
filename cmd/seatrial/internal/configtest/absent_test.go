package configtest

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
)

// TestAbsentPaths: what is a path, as a text or in JSON, and is not here is known to be that; what is relative is
// another one for each test.
func TestAbsentPaths(t *testing.T) {
	here := t.TempDir()
	gone := filepath.Join(here, "gone")
	var all []choose.Change
	for _, v := range []string{here, gone, strconv.Quote(gone), "gone", "", "3"} {
		all = append(all, choose.Change{New: &v, Unchanged: true})
	}
	all = append(all, choose.Change{})
	absent(all)
	var got []bool
	for _, c := range all {
		got = append(got, c.Absent)
	}
	if want := []bool{false, true, true, false, false, false, false}; !slices.Equal(got, want) {
		t.Errorf("they are absent: %v, want %v", got, want)
	}
}
