package configtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/internal/pace"
)

// lamp reads a file for each key of a ConfigMap that is mounted.
const lamp = `package lamp

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const folder = "/etc/lamp"

func value(key, otherwise string) string {
	text, err := os.ReadFile(filepath.Join(folder, key))
	if err != nil {
		return otherwise
	}
	return strings.TrimSpace(string(text))
}

func Pause() (time.Duration, error) { return time.ParseDuration(value("pause", "30s")) }

func Bulbs() int {
	n, err := strconv.Atoi(value("bulbs", "4"))
	if err != nil {
		return 4
	}
	return n
}

func Tone() string {
	text, _ := os.ReadFile("deploy/lamp/tone")
	return strings.TrimSpace(string(text))
}

func Rooms() (out []string) {
	f, err := os.Open(folder + "/rooms")
	if err != nil {
		return []string{"hall"}
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		out = append(out, s.Text())
	}
	return out
}
`

const lampTest = `package lamp

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPause(t *testing.T) {
	if d, err := Pause(); err != nil || d < time.Second {
		t.Fatalf("it waits for %v, %v", d, err)
	}
}

func TestBulbs(t *testing.T) {
	if n := Bulbs(); n < 1 || n > 64 {
		t.Fatalf("%d bulbs", n)
	}
}

func TestRooms(t *testing.T) {
	if len(Rooms()) == 0 {
		t.Fatal("no rooms")
	}
}

func TestTone(t *testing.T) {
	if tone := Tone(); tone != "warm" && tone != "cold" {
		t.Fatalf("the tone is %s", tone)
	}
}

func TestOwnFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pause")
	os.WriteFile(file, []byte("1s"), 0o600)
	os.ReadFile(file)
}
`

// TestMounted: each key of a ConfigMap is a file for a program, which is seen to read it, and finds the new text there.
func TestMounted(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/lamp\n\ngo 1.25\n", "lamp.go": lamp, "lamp_test.go": lampTest, "deploy/lamp/tone": "warm\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o := options(t, folder, t.TempDir())
	m, err := Map(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	reads := map[string]string{}
	for _, test := range m.Packages[0].Tests {
		var all []string
		for _, id := range test.Reads {
			all = append(all, string(id))
		}
		reads[test.Name] = strings.Join(all, " ")
	}
	for test, want := range map[string]string{"TestPause": "file:/etc/lamp/pause", "TestBulbs": "file:/etc/lamp/bulbs", "TestRooms": "file:/etc/lamp/rooms", "TestTone": "file:deploy/lamp/tone", "TestOwnFile": ""} {
		if reads[test] != want {
			t.Errorf("%s reads %q, want %q", test, reads[test], want)
		}
	}
	const old = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lamp}\ndata:\n  pause: 30s\n  bulbs: \"4\"\n  rooms: |\n    hall\n    attic\n  colour: red\n  tone: warm\n"
	var versions [2]Version
	for i, text := range []string{old, strings.NewReplacer("30s", "300", `"4"`, `"8"`, "    hall\n    attic\n", "    hall\n", "red", "blue", "warm", "mild").Replace(old)} {
		if versions[i].Settings, err = change.Parse("lamp.yaml", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	out, err := Diff(t.Context(), o, versions[0], versions[1])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range out.Report(folder).Results {
		got = append(got, string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason)
	}
	want := []string{
		`violated pause: TestPause: it waits for 0s, time: missing unit in duration "300" (lamp_test.go:12)`,
		`violated tone: TestTone: the tone is mild (lamp_test.go:30)`,
		"inconclusive colour: no code is known that reads it",
		"holds bulbs: 1 test passes with it",
		"holds rooms: 1 test passes with it",
	}
	slices.Sort(got)
	slices.Sort(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestStands: a file of the module that tests open stands for that of a ConfigMap, where no other way is known to give
// a program what differs.
func TestStands(t *testing.T) {
	pace.Slow(t)
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/lamp\n\ngo 1.25\n", "config/lamp.json": `{"room": {"bulbs": 4}}`,
		"lamp_test.go": `package lamp

import (
	"encoding/json"
	"os"
	"testing"
)

func TestBulbs(t *testing.T) {
	text, err := os.ReadFile("config/lamp.json")
	all := map[string]map[string]float64{}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if n := all["room"]["bulbs"]; err != nil || n < 1 || n > 64 {
		t.Fatalf("%v bulbs, %v", n, err)
	}
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	said := func(bulbs string) (v Version) {
		v.Text = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lamp}\ndata:\n  lamp.json: '{\"room\": {\"bulbs\": " + bulbs + "}}'\n")
		var err error
		if v.Settings, err = change.Parse("lamp.yaml", v.Text); err != nil {
			t.Fatal(err)
		}
		return v
	}
	cache := t.TempDir()
	for bulbs, want := range map[string]string{"400": "violated room.bulbs: TestBulbs: 400 bulbs, <nil> (lamp_test.go:16)", "8": "inconclusive room.bulbs: no code is known that reads it; tests that open the file pass with it: TestBulbs"} {
		out, err := Diff(t.Context(), options(t, folder, cache), said("4"), said(bulbs))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report(folder).Results[0]; string(r.Verdict)+" "+r.Subject+": "+r.Message+r.Reason != want {
			t.Errorf("it says %s %s: %s%s", r.Verdict, r.Subject, r.Message, r.Reason)
		}
	}
}

// TestStandsApart: of several changes of a file of an object, that which breaks a test is found, and a test that
// asserts what the file says is hard-coded.
func TestStandsApart(t *testing.T) {
	pace.Slow(t)
	s, _ := shop(t, "lamp.json", map[string]string{
		"go.mod": "module example.com/lamp\n\ngo 1.25\n", "lamp.json": "{\n\"bulbs\": 4,\n\"volts\": 220\n}\n",
		"lamp_test.go": `package lamp

import (
	"encoding/json"
	"os"
	"testing"
)

func load(t *testing.T) map[string]float64 {
	text, err := os.ReadFile("lamp.json")
	all := map[string]float64{}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestVolts(t *testing.T) {
	if n := load(t)["volts"]; n < 100 {
		t.Fatal("too few volts")
	}
}

func TestBulbs(t *testing.T) {
	if n := load(t)["bulbs"]; n != 4 {
		t.Fatal("other bulbs")
	}
}
`,
	})
	said := func(bulbs, volts string) (v Version) {
		v.Text = []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: lamp}\ndata:\n  lamp.json: |\n    {\n    \"bulbs\": " + bulbs + ",\n    \"volts\": " + volts + "\n    }\n")
		var err error
		if v.Settings, err = change.Parse("lamp.yaml", v.Text); err != nil {
			t.Fatal(err)
		}
		return v
	}
	out, err := s.diff(t.Context(), said("4", "220"), said("8", "9"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range out.Report("").Results {
		got = append(got, string(r.Verdict)+" "+r.Subject)
	}
	if want := "violated volts, inconclusive bulbs"; strings.Join(got, ", ") != want {
		t.Errorf("it says %q, want %s", got, want)
	}
}
