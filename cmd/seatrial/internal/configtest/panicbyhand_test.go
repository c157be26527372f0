package configtest

import "testing"

// TestPanicByHand: where a number that is not far from the old one has the program panic in a test that has written the old one by hand, and no other figure, that is found. A test that has another figure may have one with which the new one does not go,
// and so may what it hands to the program be too short: that is the program's to look at.
func TestPanicByHand(t *testing.T) {
	s, said := shop(t, "shop.json", map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.25\n",
		"shop.go": `package shop

import "encoding/json"

type Config struct {
	Hops     int ` + "`json:\"hops\"`" + `
	Shards   int ` + "`json:\"shards\"`" + `
	Replicas int ` + "`json:\"replicas\"`" + `
}

func Load(text []byte) (c Config, err error) { return c, json.Unmarshal(text, &c) }

// Client is the address that so many proxies have seen.
func (c Config) Client(seen []string) string { return seen[len(seen)-c.Hops] }

func (c Config) Place() int { return make([]int, c.Shards)[c.Replicas] }
`,
		"shop_test.go": `package shop

import "testing"

func TestLoads(t *testing.T) {
	c, err := Load([]byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(c.Hops, c.Shards, c.Replicas)
}

func TestClient(t *testing.T) {
	if got := (Config{Hops: 1}).Client([]string{"a"}); got != "a" {
		t.Errorf("it is %s", got)
	}
}

func TestPlace(t *testing.T) {
	if got := (Config{Shards: 2, Replicas: 1}).Place(); got != 0 {
		t.Errorf("it is %d", got)
	}
}
`,
	})
	for text, want := range map[string]string{
		`{"hops": 2, "shards": 4, "replicas": 1}`: "violated hops: TestClient: panic: runtime error: index out of range [-1]",
		`{"hops": 1, "shards": 4, "replicas": 2}`: "holds replicas: 1 test passes with it",
	} {
		out, err := s.diff(t.Context(), said(`{"hops": 1, "shards": 4, "replicas": 1}`), said(text))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report("").Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("of %s it says %s %s: %s%s", text, r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}
