package value

import (
	"slices"
	"testing"
)

// TestOthers: other valid values, by what a value looks like.
func TestOthers(t *testing.T) {
	for _, c := range []struct {
		known     []string
		constants []string
		isJSON    bool
		want      []string
	}{
		{[]string{"8080"}, nil, false, []string{"8081", "16160", "4040"}},
		{[]string{"8080", "8081"}, nil, true, []string{"16160", "4040"}},
		{[]string{"0"}, nil, true, []string{"1", "2"}},
		{[]string{"a\x00b\x00c"}, nil, false, []string{"a\x00b"}}, // a flag that is given several times
		{[]string{"0.5"}, nil, true, []string{"0.55", "1", "0.25"}},
		{[]string{"true", "false"}, nil, true, nil},
		{[]string{"true", "yes"}, nil, false, nil},
		{[]string{`"300s"`, "300"}, nil, true, []string{`"301s"`, `"600s"`, `"150s"`}},
		{[]string{`"10Mi"`}, nil, true, []string{`"11Mi"`, `"20Mi"`, `"5Mi"`}},
		{[]string{"1h30m"}, nil, false, []string{"1h39m0s", "3h0m0s", "45m0s"}},
		{[]string{`"oldest"`, `"newest"`}, []string{"newest", "oldest"}, true, nil},
		{[]string{`"oldest"`, `"newest"`}, []string{"oldest"}, true, []string{`"oldest-other"`, `"other"`}},
		{[]string{"2s"}, []string{"round-robin"}, false, []string{"3s", "4s", "1s"}},
		{[]string{"2s"}, []string{"round-robin", "5s"}, false, []string{"5s"}},
		{[]string{`"a"`, `"b"`}, []string{"a", "c"}, true, []string{`"c"`}},
		{[]string{"janitor"}, nil, false, []string{"janitor-other", "other"}},
		{[]string{"localhost:8000"}, nil, false, []string{"localhost:8001", "localhost:8002"}},
		{[]string{"https://a.example/x"}, nil, false, []string{"https://other.a.example/x"}},
		{[]string{"http://[::1]:80/x", "[::1]:80"}, nil, false, []string{"http://[::1]:81/x", "http://other.[::1]:80/x"}},
		{[]string{"", "b"}, nil, false, []string{"b-other", "other"}},
		{[]string{`{"a":1}`}, nil, true, []string{`{"a":2}`, `{"a":3}`, `{"a":1}`}[:2]},
		{[]string{`["a","b"]`}, nil, true, []string{`["a"]`, `["a","b","a-other"]`, `["a","b","other"]`}},
		{
			[]string{`[{"n":"a","u":["x"]},{"n":"b","u":["y"]}]`, `[{"n":"a","u":["x"]},{"n":"b","u":[]}]`},
			nil, true,
			[]string{`[{"n":"a","u":["x"]},{"n":"b","u":["y","y-other"]}]`, `[{"n":"a","u":["x"]},{"n":"b","u":["y","other"]}]`, `[{"n":"a","u":["x"]}]`},
		},
		{[]string{`{"a":4,"b":6}`, `{"a":4,"b":0}`}, nil, true, []string{`{"a":4,"b":7}`, `{"a":4,"b":12}`, `{"a":4,"b":3}`}},
		{[]string{`{"a":4,"b":6}`, `{"a":0,"b":0}`}, nil, true, []string{`{"a":5,"b":7}`, `{"a":8,"b":12}`, `{"a":2,"b":3}`}},
		{[]string{`"01:00"`, `"22:30"`}, nil, true, []string{`"02:00"`, `"00:00"`, `"13:00"`}}, // no host that is called 01
		{[]string{"9:30:15"}, nil, false, []string{"10:30:15", "8:30:15", "21:30:15"}},
		{[]string{"10.0.0.0/8"}, nil, false, []string{"10.0.0.0/9", "10.0.0.0/7", "11.0.0.0/8"}},
		{[]string{"22:00-06:00"}, nil, false, []string{"22:00-06:01", "23:00-06:00", "21:00-06:00"}},
		{[]string{`"v1.09"`, "1.9"}, nil, true, []string{`"v1.10"`, `"v1.09-other"`, `"other"`}},
		{[]string{"every 24h"}, nil, false, []string{"every 25h", "every 24h-other", "other"}},
		{[]string{""}, nil, false, nil},
		// What is new and of another form than what was there is no measure.
		{[]string{"0.0.0.0", "0.0.0.0:7443"}, nil, false, []string{"127.0.0.1"}},
		{[]string{`"10.0.0.1"`, `"10.0.0.1:80"`}, nil, true, nil},
		{[]string{"true", "sometimes"}, nil, false, nil},
	} {
		if got := Others(c.known, c.constants, c.isJSON); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.known, got, c.want)
		}
	}
}

// TestFractions: only a number that is known to be no count may be half of it.
func TestFractions(t *testing.T) {
	for _, c := range []struct {
		typ, old string
		want     []string
	}{
		{"float64", "1", []string{"2", "3", "0.5"}}, {"*float32", "1", []string{"2", "3", "0.5"}}, {"int", "1", []string{"2", "3"}}, {"float64", "x", []string{"2", "3"}}, {"float64", "4", []string{"2", "3"}},
	} {
		if got := Fractions(c.typ, c.old, []string{"2", "3"}); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %q, want %q", c.typ, c.old, got, c.want)
		}
	}
}

// TestMadeUp: of what has the form of the old one it is not known either whether there is such a one.
func TestMadeUp(t *testing.T) {
	for _, c := range []struct {
		old    string
		values []string
		want   bool
	}{
		{"AES-256-GCM", []string{"AES-257-GCM", "AES-256-GCM-other", "other"}, true}, {"every 24h", []string{"every 48h"}, false}, {"v1", []string{"v2", "other"}, true}, {"a", []string{"b"}, false},
	} {
		if got := MadeUp(&c.old, c.values); got != c.want {
			t.Errorf("%s, %q: %v", c.old, c.values, got)
		}
	}
}

// TestAnotherForm: what a text was, and is no more.
func TestAnotherForm(t *testing.T) {
	for _, c := range []struct {
		old, now string
		want     bool
	}{
		{"100", "200", false}, {"100", "100k", true}, {"10s", "10m", false}, {"10s", "10", true}, {"true", "no", true}, {"true", "0", false}, {"json", "xml", false}, {"json", "1", false},
		{"a,b", "a;b", true}, {"a, b", "a|b", true}, {"a;b", "a,b", true}, {"a,b", "a;c", false}, {"a,b", "a, b", false},
		{"50%", "0.5", true}, {"50%", "60%", false}, {"50%", "half", false}, {"64MiB", "64", false},
	} {
		if got := AnotherForm(&c.old, &c.now); got != c.want {
			t.Errorf("%s, %s: %v", c.old, c.now, got)
		}
	}
}
