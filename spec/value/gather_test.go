package value

import "testing"

// TestGather: sets whose sizes are known once their members are only are not gathered without end.
func TestGather(t *testing.T) {
	twice := symbolic(union{Interval(1, 6), Interval(2, 7)})
	for _, tt := range []struct {
		most int
		want string
	}{
		{7, ""},
		{3, "the set " + Describe(twice) + " has more than the 3 members that are listed"},
	} {
		got := func() (problem string) {
			defer func() {
				if f, ok := recover().(*Failure); ok {
					problem = f.Problem
				}
			}()
			if all := OfSet(twice.gather(tt.most)); !Equal(all, Interval(1, 7)) {
				t.Errorf("gathered %s", Format(all))
			}
			return ""
		}()
		if got != tt.want {
			t.Errorf("at most %d: %q, want %q", tt.most, got, tt.want)
		}
	}
}
