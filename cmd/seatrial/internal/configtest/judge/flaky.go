package judge

import (
	"slices"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// excluded says why a test that does not pass with the old values says nothing.
func (j *judging) excluded(o *run.Outcome) string {
	if o.Ending == run.Skipped {
		return "it is skipped, or its process ends before it"
	}
	for range Repeats - 1 {
		again, err := j.values(j.given(nil))
		if err != nil {
			return "there was no time to run it again"
		}
		if again.Ending == run.Passed {
			return "it is flaky: with the old values it fails, and passes"
		}
	}
	return "it fails with the old values, too: " + Says(o)
}

// flaky runs both versions again, and says so if they do not end as before.
func (j *judging) flaky(in []int) (string, error) {
	whole := slices.Equal(in, j.all())
	if j.repeated && whole || j.certain(in) {
		return "", nil
	}
	for range Repeats - 1 {
		old, err := j.values(j.given(nil))
		if err != nil {
			return "", err
		}
		if old.Ending != run.Passed {
			return "it is flaky: with the old values it passes, and fails", nil
		}
		now, err := j.values(j.given(in))
		if err != nil {
			return "", err
		}
		if !now.Ending.Fails() {
			return "it is flaky: with the new values it fails, and passes", nil
		}
	}
	j.repeated = j.repeated || whole
	return "", nil
}
