package value

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Draw is where sentinels come from: texts and numbers that stand nowhere else in a
// campaign, so that it can be seen where they go.
type Draw struct {
	// Property and Operation are the numbers of the property, and of the operation among those of
	// the property: st-p17-o3. They are names of objects and of DNS, and labels.
	Property, Operation int
	// Number is the whole number of the draw, such as 20017: a port, where it is within bounds.
	Number int64
}

// Text is the sentinel.
func (d Draw) Text() string {
	return "st-p" + strconv.Itoa(d.Property) + "-o" + strconv.Itoa(d.Operation)
}

// seconds is a duration that is hardly another property's, too, as Go writes it.
func (d Draw) seconds(n int) string {
	return (time.Duration(19+(41*n+13*d.Property+5*d.Operation)%89) * time.Second).String()
}

// numbered is a text for the n-th of several, from 0.
func (d Draw) numbered(n int) string {
	if n == 0 {
		return d.Text()
	}
	return d.Text() + "-" + strconv.Itoa(n)
}

// Numbers of the same draw lie so far from each other that they are no other draw's, and are ports.
const numbersApart, numbersRound = 10000, 4

// nth is a number for the n-th of several, from 0.
func (d Draw) nth(n int) int64 {
	if n == 0 || d.Number == 0 || d.Number >= 2*numbersApart+numbersApart {
		return d.Number
	}
	return d.Number + int64(numbersApart*(n%numbersRound)) + int64(n/numbersRound)
}

// in lists the sentinels in a value and a path.
func (d Draw) in(v any, path []any) []string {
	var found []string
	add := func(s string) {
		if !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	var look func(v any)
	text := func(s string) {
		// Where a schema does not take a -, there is another letter.
		for _, sign := range []string{"-", "_", "x"} {
			if whole, ok := whole(s, strings.ReplaceAll(d.Text(), "-", sign), sign); ok {
				add(whole)
				return
			}
		}
	}
	look = func(v any) {
		switch v := v.(type) {
		case string:
			text(v)
		case int64:
			for n := range itemsMost {
				if v == d.nth(n) && v != 0 {
					add(strconv.FormatInt(v, 10))
					break
				}
			}
		case []any:
			for _, item := range v {
				look(item)
			}
		case map[string]any:
			for key, value := range v {
				text(key)
				look(value)
			}
		}
	}
	look(v)
	for _, e := range path {
		look(e)
	}
	slices.Sort(found)
	return found
}

// whole is the sentinel in s, with its number among several behind a sign.
func whole(s, sentinel, sign string) (string, bool) {
	at := strings.Index(s, sentinel)
	if at < 0 {
		return "", false
	}
	end := at + len(sentinel)
	if number, ok := strings.CutPrefix(s[end:], sign); ok {
		digits := len(number) - len(strings.TrimLeft(number, "0123456789"))
		if digits > 0 {
			end += len(sign) + digits
		}
	}
	return s[at:end], true
}
