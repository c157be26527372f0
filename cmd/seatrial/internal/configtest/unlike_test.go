package configtest

import "testing"

// TestUnlike: of two long texts there is what differs, and a little around it; short ones are as they are.
func TestUnlike(t *testing.T) {
	for _, c := range []struct{ a, b, was, is string }{
		{"300s", "300", "300s", "300"},
		{
			`["alerts@shop.example", "cron-*@shop.example"]`, `["alerts@shop.example", "*@shop.example"]`,
			`…xample", "cron-*@shop.exa…`, `…xample", "*@shop.exa…`,
		},
		{"assets|liabilities|income|expenses of all", "assets|liabilities|income|expenses", "…e|expenses of all", "…e|expenses"},
		{"one:9001,two:9001,three:9001,four:9001", "1:9001,two:9001,three:9001,four:9001", "one:9001,two:…", "1:9001,two:…"},
		{"abcdefghijklmnopqrstuvwxyz0123456789", "0123456789abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz0123456789", "0123456789abcdefghijklmnopqrstuvwxyz"},
	} {
		if was, is := unlike(c.a, c.b); was != c.was || is != c.is {
			t.Errorf("%s → %s, want %s → %s", was, is, c.was, c.is)
		}
	}
}
