package manifest

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// FuzzLoad reads anything: no panic, errors are Problems within the file, and
// the same again gives the same.
func FuzzLoad(f *testing.F) {
	for _, text := range fixtures(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first := loadBytes(t, data)
		if second := loadBytes(t, data); first != second {
			t.Errorf("two runs differ:\n%s\n%s", first, second)
		}
	})
}

// loadBytes loads a document from stdin and describes the outcome.
func loadBytes(t *testing.T, data []byte) string {
	t.Helper()
	in, err := Load(context.Background(), []string{"-"}, bytes.NewReader(data), testOptions)
	lines := 1 + bytes.Count(data, []byte("\n"))
	if err == nil {
		for _, o := range in.objects() {
			if place := o.source.Position(""); place.Line < 1 || place.Line > lines {
				t.Errorf("%s is on line %d of %d", o.source.object(), place.Line, lines)
			}
		}
		return describe(in, nil)
	}
	problems, ok := AsProblems(err)
	if !ok || len(problems) == 0 {
		t.Fatalf("error %v (%T) is not Problems", err, err)
	}
	for _, p := range problems {
		if p.Location.Line < 0 || p.Location.Line > lines+1 {
			t.Errorf("%q is on line %d of %d", p.Message, p.Location.Line, lines)
		}
		if strings.ContainsAny(p.String(), "\n\r\x1b") {
			t.Errorf("%q is not one line of text", p)
		}
	}
	return err.Error()
}
