package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/choose"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/record"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/value"
)

// silent takes back what shows that new values of some changes arrived, where the program has put something else in
// their place: what is read without them, or where a type that reads itself takes words, and this is none of them. A
// program that makes nothing of a text often has a default instead, and says nothing. A value that says what was read
// is taken, also if it is the default. Of a test that sets it nothing is known: behind that it reads the default.
func (j *judging) silent(out *Judged, changes, left []int, after *run.Outcome) error {
	for _, i := range changes {
		c := j.changes[i]
		proof, is := out.Proofs[i]
		instead := j.instead(i, after)
		if !is || c.New == nil || proof.Value == "" || len(instead) == 0 || len(events(c, after, record.Set)) > 0 {
			continue
		}
		strange := false // it is a word that the type does not take
		if words := j.words(i); len(words) > 0 {
			now := strings.TrimSpace(value.Bare(*c.New))
			strange = !slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, now) }) && !tells(c, proof.Value)
		}
		var fell []string                  // to what is read without it as well
		if j.test.File == "" || c.Stored { // else what it reads without a change is in another file
			without, err := j.with(left, i, j.nothingSaid(i))
			if err != nil {
				return err
			}
			if read := valuesOf(c, without); !slices.ContainsFunc(read, func(v string) bool { return tells(c, v) }) {
				fell = slices.DeleteFunc(instead, func(v string) bool { return !slices.Contains(read, v) })
			}
		}
		if !strange && len(fell) == 0 {
			continue
		}
		delete(out.Proofs, i)
		out.Silent = append(out.Silent, i)
		fell = slices.DeleteFunc(fell, func(v string) bool { return v == "" || begins(value.Bare(*c.New), v) })
		if len(fell) > 0 && (strange || j.took(i) && !j.mayKnow(i)) {
			if out.Dropped == nil {
				out.Dropped = map[int]Proof{}
			}
			out.Dropped[i] = Proof{Value: fell[0], At: proof.At}
		}
	}
	return nil
}

// nothingSaid is what stands for nothing in the place of a change: no value, or for a key that a store has in a file, a
// text that stands for nothing.
func (j *judging) nothingSaid(i int) *string {
	if c := j.changes[i]; !c.Stored || value.Word(value.Bare(*c.New)) {
		return nil
	}
	text := strconv.Quote(strangeText)
	return &text
}

// begins tells whether a text begins with the first word, or number, of what is read of it: 30sec may well be meant for
// 30s, and INFORMATION for info.
func begins(text, read string) bool {
	first := read
	if end := strings.IndexFunc(read, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }); end > 0 {
		first = read[:end]
	}
	if unicode.IsDigit(rune(first[0])) {
		first = first[:len(first)-len(strings.TrimLeft(first, "0123456789"))]
	}
	return strings.HasPrefix(strings.ToLower(text), strings.ToLower(first))
}

// took tells whether the old value was read just as it is said, as the new one is not; or is of another form, as a
// number is where there is none any more.
func (j *judging) took(i int) bool {
	c := j.changes[i]
	return c.Old != nil && (value.AnotherForm(c.Old, c.New) || slices.ContainsFunc(valuesOf(c, j.before), func(v string) bool { return says(value.Bare(*c.Old), v) }))
}

// mayKnow tells whether the program has the new value written in it as a word.
func (j *judging) mayKnow(i int) bool { return j.bench.Known != nil && j.bench.Known(i) }

// words are those that there are for a change.
func (j *judging) words(i int) []string {
	if j.bench.Words == nil {
		return nil
	}
	return j.bench.Words(i)
}

// instead are values that were read of a change with the new one and not with the old one, and that neither the new one
// says, nor another one of that field, nor the test has set. Of one that is nothing, as 0, there are none: it may well
// stand for something.
func (j *judging) instead(i int, after *run.Outcome) []string {
	c, others := j.changes[i], j.others(i)
	if c.New == nil || nothing(value.Bare(*c.New)) {
		return nil
	}
	before, own := valuesOf(c, j.before), ownOf(c, after)
	return slices.DeleteFunc(valuesOf(c, after), func(v string) bool {
		return slices.Contains(before, v) || slices.Contains(own, v) || tells(c, v) || slices.ContainsFunc(others, func(o choose.Change) bool {
			return gives(o, c, v) || len(c.Leaves) > 0 && len(o.Leaves) == 0 && means(o, v) // a type with one field may be in an item, and elsewhere
		})
	})
}

// nothing tells whether a text is what a value is that nobody gives.
func nothing(text string) bool {
	n, err := strconv.ParseFloat(text, 64)
	d, no := time.ParseDuration(text)
	return err == nil && n == 0 || no == nil && d == 0 || slices.Contains([]string{"", "false", "null", "[]", "{}"}, strings.ToLower(strings.TrimSpace(text)))
}

// tells says whether the new value is what was read.
func tells(c choose.Change, read string) bool {
	return c.New != nil && (means(c, read) || says(value.Bare(*c.New), read))
}

// valuesOf are the values that were read of a parameter, in order, each once.
func valuesOf(c choose.Change, o *run.Outcome) (out []string) {
	for _, e := range events(c, o, record.Read) {
		if !strings.HasSuffix(e.At, record.Unsure) { // that may be another one's
			out = append(out, e.Value)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// ownOf are the values that a test has set a parameter to.
func ownOf(c choose.Change, o *run.Outcome) (out []string) {
	for _, e := range events(c, o, record.Set) {
		out = append(out, e.Value)
	}
	return out
}

// says tells whether a text says a value, as Go prints that: the same time, number or truth, or all words of it.
func says(text, read string) bool {
	if a, err := time.ParseDuration(text); err == nil {
		b, err := time.ParseDuration(read)
		return err == nil && a == b
	}
	if a, err := strconv.ParseFloat(text, 64); err == nil {
		b, err := strconv.ParseFloat(read, 64)
		return err == nil && a == b
	}
	if a, err := strconv.ParseBool(text); err == nil {
		b, err := strconv.ParseBool(read)
		return err == nil && a == b
	}
	said, all := wordsOf(text), wordsOf(strings.TrimPrefix(read, "map"))
	return len(all) > 0 && !slices.ContainsFunc(all, func(word string) bool {
		return !slices.ContainsFunc(said, func(w string) bool { return equal(w, word) })
	})
}

// wordsOf are the words and the numbers of a text.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' })
}

// equal tells whether two words are the same, or the same time or number.
func equal(a, b string) bool {
	if strings.EqualFold(a, b) {
		return true
	}
	x, isX := time.ParseDuration(a)
	y, isY := time.ParseDuration(b)
	if isX == nil && isY == nil {
		return x == y
	}
	n, isN := strconv.ParseFloat(a, 64)
	m, isM := strconv.ParseFloat(b, 64)
	return isN == nil && isM == nil && n == m
}
