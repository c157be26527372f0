package value

import (
	"slices"
	"strings"
	"testing"
)

// TestCandidates: what is tried of a parameter, by what is known of it; ! is invalid, ? is unsure.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		about    About
		of, want string
	}{
		{About{Name: "workers", Known: "2", JSON: true, Type: "int"}, "number", `3 4 1 !-1 !"some" !true !1.5 ?0 ?20`},
		{About{Name: "server.port", Known: "8080", Type: "int"}, "number", "8081 16160 4040 1 65535 !65536 !-1 !some !true !1.5 ?0 ?"},
		{About{Name: "qps", Known: "20", JSON: true, Type: "int8", Least: "1", Most: "50"}, "number", `21 40 10 1 50 !0 !51 !128 !-129 !"some" !true !1.5`},
		{About{Name: "retries", Known: "3", Type: "uint"}, "number", "4 6 2 0 30 !-1 !some !true !1.5 ?"},
		{About{Name: "version", Known: "3", Type: "string"}, "text", "4 6 2 ? ?"},
		{About{Name: "ttl", Known: `"300s"`, JSON: true, Type: "time.Duration"}, "duration", `"5m30s" "10m" "2m30s" !"-5m" !300 !"5parsecs" !"some" ?"0s" ?"50m" ?""`},
		{About{Name: "grace", Known: "15s", Type: "example.com/a.Duration"}, "duration", "16s 30s 8s !1parsecs !some ?0s ?2m30s ?-15s ?15 ?"},
		{About{Name: "debug", Known: "true", Type: "bool"}, "truth", "false !perhaps !2 ?yes ?"},
		{About{Name: "dryRun", JSON: true, Type: "*bool"}, "truth", `!"perhaps" !2 ?true ?false ?""`},
		{About{Name: "template", Known: "%s went"}, "text", "%s?went-other ?other ? ?"},
		{About{Name: "order", Known: `"oldest"`, JSON: true, Constants: []string{"oldest"}}, "word", `?"no-such-word" ?"OLDEST" ?""`},
		{About{Name: "tls", Known: "off", Type: "a.Mode", Members: []string{"always", "off"}}, "word", "always !no-such-word ?OFF ?"},
		{About{Name: "size", Known: `"10Mi"`, JSON: true}, "size", `"11Mi" "20Mi" "5Mi" "10M" !"10parsecs" !"some" ?"0Mi" ?"100Mi" ?"-10Mi" ?"10" ?""`},
		{About{Name: "window.start", Known: "09:30"}, "time of day", "10:30 08:30 21:30 23:30 !25:30 !09:77 !noon ?00:30 ?"},
		{About{Name: "zone", Known: "Europe/Berlin"}, "time zone", "Europe/Paris Europe/Madrid !Europe/Berlinother !other ?Pacific/Honolulu ?UTC ?"},
		{About{Name: "listen", Known: ":8000"}, "address", ":8001 :8002 !:65536 !a:b:8000 ?:0 ?"},
		{About{Name: "headers", Known: "source:shop", Type: "map[string]string"}, "text", "source:shop-other ?other ? ?"},
		{About{Name: "shards", Known: "north:8000", Type: "map[string]int"}, "text", "north:8001 north:8002 ? ?"},
		{About{Name: "from", Known: `"shop@example.com"`, JSON: true}, "text", `"shop@example.com-other" ?"other" ?"?" ?""`},
		{About{Name: "image", Known: "shop:latest"}, "text", "shop:latest-other ?other ? ?"},
		{About{Name: "url", Known: "http://a.example"}, "url", "http://other.a.example !http://[::1 !:// ?"},
		{About{Name: "file", Known: "/etc/a"}, "path", "?/no/such/place ?"},
		{About{Name: "quota", Known: `{"a":100}`, JSON: true}, "collection", `{"a":101} {"a":200} {"a":50} !"some" ?{"a":0} ?{}`},
		{About{Name: "hosts", Known: "a,b"}, "text", "a a-other,b a,b,b-other ? ?"},
	} {
		of, all := Candidates(c.about)
		var got []string
		for _, one := range all {
			mark := map[Kind]string{Valid: "", Invalid: "!", Unsure: "?"}[one.Kind]
			got = append(got, mark+strings.ReplaceAll(strings.TrimSpace(one.Text), " ", "?"))
			if one.Says == "" {
				t.Errorf("%s: nothing is said of %s", c.about.Name, one.Text)
			}
		}
		if want := strings.Fields(c.want); of != c.of || !slices.Equal(got, want) {
			t.Errorf("%s: %s %q, want %s %q", c.about.Name, of, got, c.of, want)
		}
	}
}
