package oracle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestVersions: a ConfigMap with a sum in its name that stays is an earlier version where another one is there that the
// twin has, too, and something that was left over everywhere else.
func TestVersions(t *testing.T) {
	made := func(names ...string) string {
		var all strings.Builder
		for _, name := range names {
			fmt.Fprintf(&all, "{kind: ConfigMap, metadata: {name: %s}}\n", name)
		}
		return all.String()
	}
	const old, now = "a-7fdd6f9c94", "a-5c8b7d66f4"
	const ingress = "{kind: Ingress, metadata: {name: a}, spec: {tls: [{secretName: " + old + "}]}}\n"
	eleven := func() (all []string) {
		for i := range 11 {
			all = append(all, fmt.Sprintf("a-7fdd6f9c%02d", i))
		}
		return all
	}()
	for name, c := range map[string]struct {
		seed, end, twin string
		want            int
	}{
		"an earlier one":                   {made(old), made(old, now), made(now), 0},
		"the only one":                     {made(old), made(old), "", 1},
		"one of another name":              {made("b-7fdd6f9c94"), made("b-7fdd6f9c94", now), made(now), 1},
		"one without a sum":                {made("a-settings"), made("a-settings", now), made(now), 1},
		"one that is new":                  {made(now), made(old, now), made(now), 1},
		"more than are kept":               {made(eleven...), made(append(eleven, now)...), made(now), 11},
		"one that something has":           {made(old), made(now) + configured("7fdd6f9c94"), made(now) + configured("5c8b7d66f4"), 2},
		"one whose name ends so by chance": {made("a-default1"), made("a-default1", "a-default2"), made("a-default2"), 1},
		"one of two that are there":        {made(old), made(old, now, "a-69f7c8d5b4"), made(now, "a-69f7c8d5b4"), 1},
		"one that an Ingress has":          {made(old), made(old, now) + ingress, made(now) + ingress, 1},
	} {
		if got := said("twin", twins(t, property("spec.size"), thing+c.seed, thing+c.end, thing+c.twin, "")); len(got) != c.want {
			t.Errorf("%s: %q, want %d", name, got, c.want)
		}
	}
}

// TestSchemaDefaults: a default of the schema counts as much as nothing in the resource's own spec, and no other value
// does.
func TestSchemaDefaults(t *testing.T) {
	of := func(scale string) string { return "{kind: Thing, metadata: {name: a}, spec: {scale: " + scale + "}}" }
	for _, c := range []struct {
		end, twin string
		want      int
	}{
		{"{}", "{policy: slow}", 0}, {"{policy: slow}", "{}", 0}, {"{policy: ''}", "{policy: slow}", 0},
		{"{policy: fast}", "{policy: slow}", 1}, {"{policy: fast}", "{}", 1}, {"{policy: false}", "{policy: slow}", 1}, {"{other: slow}", "{}", 1},
	} {
		k := twins(t, property("spec.size"), of("{}"), of(c.end), of(c.twin), "")
		k.Properties = scaled
		if got := said("twin", k); len(got) != c.want {
			t.Errorf("%s against %s: %q, want %d", c.end, c.twin, got, c.want)
		}
	}
}

// TestVersionBetween: a version that there was for a moment, when one change overtook another, is an earlier one, too.
func TestVersionBetween(t *testing.T) {
	const old, now, between = "{kind: ConfigMap, metadata: {name: a-7fdd6f9c94}}\n", "{kind: ConfigMap, metadata: {name: a-5c8b7d66f4}}\n", "{kind: ConfigMap, metadata: {name: a-69f7c8d5b4}}\n"
	for overtakes, want := range map[bool]int{true: 0, false: 1} {
		o := property("spec.size")
		if overtakes {
			o.Overtakes = []operation.Change{{Path: []any{"spec", "size"}, Value: int64(7)}}
		}
		if got := said("twin", twins(t, o, thing+old, thing+old+between+now, thing+now, "")); len(got) != want {
			t.Errorf("overtaken %t: %q, want %d", overtakes, got, want)
		}
	}
}

// TestKin: names that the same code makes are one without what was drawn, or is a sum, at their ends.
func TestKin(t *testing.T) {
	for name, want := range map[string]string{
		"a-x7k2p": "a-*", "backup-3f9a2b": "backup-*", "a-7fdd6f9c94": "a-*", "shop-oauth2": "shop-oauth2", "shop-redis7": "shop-redis7",
		"a-team1": "a-team1", "a-12345": "a-12345", "a-settings": "a-settings", "x7k2p": "x7k2p",
	} {
		if got := oracle.Kin(name); got != want {
			t.Errorf("%s is of %s, want %s", name, got, want)
		}
	}
}
