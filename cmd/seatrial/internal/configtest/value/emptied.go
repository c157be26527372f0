package value

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// list are the items of a text that is one: of JSON, or with commas between, which are numbers if all are; false if it
// is none. Nothing is the list of nothing.
func list(text string) ([]json.RawMessage, bool) {
	var all []json.RawMessage
	if json.Unmarshal([]byte(text), &all) == nil {
		return all, true
	}
	bare := strings.TrimSpace(Bare(text))
	if bare == "" {
		return nil, true
	}
	if !strings.Contains(bare, ",") || strings.ContainsAny(bare, "{}[]=\"\n") {
		return nil, false
	}
	numbers := true
	for item := range strings.SplitSeq(bare, ",") {
		item = strings.TrimSpace(item)
		_, err := strconv.ParseInt(item, 10, 64)
		numbers = numbers && err == nil
		all = append(all, json.RawMessage(item))
	}
	for i := range all {
		if !numbers {
			all[i] = json.RawMessage(strconv.Quote(string(all[i])))
		}
	}
	return all, true
}

// Listing is a list as JSON has it, without spaces between; false if the text is none.
func Listing(text string) (string, bool) {
	all, is := list(text)
	if !is {
		return "", false
	}
	if all == nil {
		all = []json.RawMessage{}
	}
	out, err := json.Marshal(all)
	var compact bytes.Buffer
	if err != nil || json.Compact(&compact, out) != nil {
		return "", false
	}
	return compact.String(), true
}

// Emptied tells whether a list of several items has none any more; fewer are those of the old one without the last
// item, and without the first one, as the old one is written.
func Emptied(old, now string) (fewer []string, is bool) {
	was, a := list(old)
	left, b := list(now)
	if !a || !b || len(was) < 2 || len(left) > 0 {
		return nil, false
	}
	for _, some := range [][]json.RawMessage{was[:len(was)-1], was[1:]} {
		if json.Valid([]byte(old)) && strings.HasPrefix(strings.TrimSpace(old), "[") {
			text, err := json.Marshal(some)
			if err != nil {
				return nil, false
			}
			fewer = append(fewer, string(text))
			continue
		}
		var items []string
		for _, item := range some {
			items = append(items, Bare(string(item)))
		}
		fewer = append(fewer, strings.Join(items, ","))
	}
	return fewer, true
}

// HarmlessItems is Harmless of each item of a list.
func HarmlessItems(name, text string) bool {
	all, is := list(text)
	return is && !slices.ContainsFunc(all, func(item json.RawMessage) bool { return !Harmless(name, Bare(string(item))) })
}
