package manifest

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOrderChangesNothingButPositions writes the documents of the fixtures in
// other orders, with the keys of every mapping in another order, and loads
// them again.
func TestOrderChangesNothingButPositions(t *testing.T) {
	var docs []any
	files, err := filepath.Glob("testdata/good/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		parsed, problems := parse(name, data)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		for _, d := range parsed {
			var v any
			if err := json.Unmarshal(d.raw, &v); err != nil {
				t.Fatal(err)
			}
			docs = append(docs, v)
		}
	}
	want := content(t, loadGood(t))
	random := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 20; i++ {
		random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
		var text bytes.Buffer
		for _, d := range docs {
			encode(&text, d, random)
			text.WriteString("\n---\n")
		}
		in, err := Load(context.Background(), []string{"-"}, &text, testOptions)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, content(t, in)); diff != "" {
			t.Fatal(diff)
		}
	}
}

// encode writes JSON, which is YAML, with the keys in a random order.
func encode(b *bytes.Buffer, v any, random *rand.Rand) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		b.WriteByte('{')
		for i, k := range keys {
			if i > 0 {
				b.WriteString(", ")
			}
			encode(b, k, random)
			b.WriteString(": ")
			encode(b, v[k], random)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			encode(b, item, random)
		}
		b.WriteByte(']')
	default:
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
}

var place = regexp.MustCompile(`[^ (]*[^ :(]:\d+`)

// content is everything in an input but positions.
func content(t *testing.T, in *Input) []any {
	t.Helper()
	var out []any
	add := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(raw, &plain); err != nil {
			t.Fatal(err)
		}
		out = append(out, plain)
	}
	for _, o := range in.objects() {
		add(o.source.identity())
		add(o.value)
		add(json.RawMessage(o.raw))
	}
	for _, o := range in.Omissions(nil) {
		add([]any{o.Name, o.Reason, o.Blocking, o.Accepted})
	}
	var warnings []string
	for _, w := range in.Warnings {
		warnings = append(warnings, strings.TrimSpace(w.Location.Object+" "+w.Location.Field+" "+place.ReplaceAllString(w.Message, "")))
	}
	slices.Sort(warnings)
	add(warnings)
	return out
}
