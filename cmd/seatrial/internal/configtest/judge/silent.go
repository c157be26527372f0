package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
)

// silent takes back what shows that new values of variables arrived, where what is read is the same without them: a program that makes nothing of a text often has a default
// instead, and says nothing. A value that says what was read is taken, also if it is the default.
func (j *judging) silent(out *Judged, left []int, after *run.Outcome) error {
	for _, i := range left {
		c := j.changes[i]
		proof, is := out.Proofs[i]
		if !is || c.New == nil || proof.Value == "" || says(*c.New, proof.Value) || slices.ContainsFunc(c.IDs, func(id parameter.ID) bool { return id.Kind() != parameter.Env }) {
			continue
		}
		v := j.given(left)
		v[i] = nil
		without, err := j.values(v)
		if err != nil {
			return err
		}
		if read := valuesOf(c, after); slices.Equal(read, valuesOf(c, without)) {
			delete(out.Proofs, i)
			out.Silent = append(out.Silent, i)
		}
	}
	return nil
}

// valuesOf are the values that were read of a parameter, in order, each once.
func valuesOf(c choose.Change, o *run.Outcome) (out []string) {
	for _, e := range events(c, o, record.Read) {
		out = append(out, e.Value)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// says tells whether a text says a value, as Go prints that: the same time or number, or all words of it.
func says(text, value string) bool {
	if a, err := time.ParseDuration(text); err == nil {
		b, err := time.ParseDuration(value)
		return err == nil && a == b
	}
	if a, err := strconv.ParseFloat(text, 64); err == nil {
		b, err := strconv.ParseFloat(value, 64)
		return err == nil && a == b
	}
	words := strings.FieldsFunc(strings.TrimPrefix(value, "map"), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}
