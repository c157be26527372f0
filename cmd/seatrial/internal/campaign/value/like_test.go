package value

import (
	"strings"
	"testing"
)

// TestLike: a text with a form has another in that form, and a name has none.
func TestLike(t *testing.T) {
	for now, want := range map[string]string{
		"1.2.3": "1.2.4", "30d": "31d", "v1.2.3": "v1.2.4", "v15": "v16", "v1beta1": "v1beta2", "PT5M": "PT6M", "P1DT2H": "P1DT3H", "redis:7.2": "redis:7.3", "m5.2": "m5.3",
		"web": "", "web-1": "", "s3": "", "P": "", "Postgres": "", "a b=c": "", "db:5432": "st-p1-o2.example.com:5432",
		`{"a":1}`: `{"a":1,"st-p1-o2":"st-p1-o2"}`, "{broken": "", "{{ .Name }}": "",
		"a=b": "a=b,st-p1-o2=st-p1-o2", "team=x,tier=y": "team=x,tier=y,st-p1-o2=st-p1-o2", "a==b": "",
		"ops@team.example.com": "st-p1-o2@team.example.com", "@ops": "", "registry@sha256": "",
	} {
		got := ""
		if c := likeNow(&sampler{draw: Draw{Property: 1, Operation: 2}}, now, &limit{longest: -1}); c != nil {
			got = c.Value.(string)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", now, got, want)
		}
	}
}

// TestFamily: of a word that everybody knows others are tried, as it is written.
func TestFamily(t *testing.T) {
	for now, want := range map[string]string{
		"info": "debug error", "INFO": "DEBUG ERROR", "Info": "Debug Error", "debug": "error info", "warning": "debug error", "json": "text", "TCP": "UDP", "medium": "small large",
		"Always": "Never IfNotPresent", "IPv4": "IPv6", "web": "", "": "",
	} {
		if got := strings.Join(family(now), " "); got != want {
			t.Errorf("%q has %q, want %q", now, got, want)
		}
	}
}
