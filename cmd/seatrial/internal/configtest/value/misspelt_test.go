package value

import "testing"

func TestMisspelt(t *testing.T) {
	words := []string{`round_robin`, `least_conn`, `ip-hash`, `v1`, `v2`, `sha256`, `1h30m`}
	for v, want := range map[string]string{
		`"roundrobin"`:   "round_robin",
		"round-robin":    "round_robin",
		"Round Robin":    "round_robin",
		"IPHash":         "ip-hash",
		"leastcon":       "least_conn", // one is missing
		"least_connn":    "least_conn", // one too many
		"laest_conn":     "least_conn", // changed places
		"round_rubin":    "",           // another one may be meant so
		"ROUND_ROBIN":    "",           // it may well take that
		"round_robin":    "",
		"v3":             "", // it has a digit
		"sha-256":        "sha256",
		"SHA_256":        "sha256",
		"sha2.56":        "",
		"sha512":         "",
		"1h 30m":         "", // no word
		"random":         "",
		"least_requests": "",
		"least_conn1":    "",
		"":               "",
		"--":             "",
	} {
		if got := Misspelt(v, words); got != want {
			t.Errorf("%s: %q, want %q", v, got, want)
		}
	}
	if got := Misspelt("least-conn", []string{"last_conn", "least_conn"}); got != "least_conn" {
		t.Errorf("the same letters: %q", got)
	}
	if got := Misspelt("latest", []string{"latesta", "latestb"}); got != "" {
		t.Errorf("one of two words: %q", got)
	}
}
