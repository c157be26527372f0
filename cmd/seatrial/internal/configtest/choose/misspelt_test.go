package choose

import (
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/parameter"
)

// TestMisspell: a new key that nobody reads is meant for one of nearly that name which is not given.
func TestMisspell(t *testing.T) {
	of := func(kind parameter.Kind, names ...string) *parameter.Map {
		m := &parameter.Map{}
		for _, name := range names {
			m.Parameters = append(m.Parameters, parameter.Class{ID: parameter.New(kind, name)})
		}
		return m
	}
	fields := of(parameter.Field, "Config.max_retries", "Config.server.port", "Config.server.host", "Config.hosts", "Config.pool.minSize", "Config.ttl", "Config.shard1")
	fields.Types = []parameter.ID{"field:Config"}
	keys := of(parameter.Viper, "max_retries", "server.port", "server.host", "hosts", "pool.minsize", "ttl", "shard1")
	const all = "server: {port: 80, host: a}\nttl: 3s\n"
	for _, tc := range []struct {
		name, old, now, want string
		m                    *parameter.Map
	}{
		{"letters have changed places", "max_retries: 3\n" + all, "max_retires: 5\n" + all, "max_retires for max_retries (moved)", fields},
		{"and of a library", "max_retries: 3\n" + all, "max_retires: 5\n" + all, "max_retires for max_retries (moved)", keys},
		{"it was not given before", all, "maxRetries: 5\n" + all, "maxRetries for max_retries", fields},
		{"it is one of several", all, "host: [a]\n" + all, "host for hosts", keys},
		{"it is given as well", "max_retries: 3\n" + all, "max_retries: 3\nmax_retires: 5\n" + all, "", fields},
		{"it was there before", "max_retires: 3\nother: 1\n" + all, "max_retires: 5\nother: 1\n" + all, "", fields},
		{"a section", all, "sever: {port: 80, host: a}\nttl: 3s\n", "sever.host for server.host (moved), sever.port for server.port (moved)", fields},
		{"a short word is another one", all, "pool: {maxSize: 3}\n" + all, "", fields},
		{"so is a number", all, "shard2: 3\n" + all, "", fields},
		{"two letters are short", all, "server: {port: 80, host: a}\nttt: 3s\n", "", fields},
		{"it is in the sources", all, "hoosts: [a]\n" + all, "", fields},
		{"a list", "hosts: [a]\n" + all, "hsots: [b, c]\n" + all, "hsots for hosts (moved)", fields},
	} {
		parse := func(text string) []change.Setting {
			settings, err := change.Parse("c.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return settings
		}
		before, after := parse(tc.old), parse(tc.now)
		changes := Link(tc.m, change.Between(before, after), before, after)
		Misspell(tc.m, changes, before, after, func(name string) bool { return name == "hoosts" })
		var got []string
		for _, c := range changes {
			if c.Misspelt == nil {
				continue
			}
			says := c.Path + " for " + c.Misspelt.For + strings.TrimPrefix(c.Path, c.Misspelt.Key)
			if slices.ContainsFunc(changes, func(o Change) bool { return o.Moved == c.Path }) {
				says += " (moved)"
			}
			got = append(got, says)
		}
		if slices.Sort(got); strings.Join(got, ", ") != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, strings.Join(got, ", "), tc.want)
		}
	}
}

// TestMisspelledVariable is the same of variables.
func TestMisspelledVariable(t *testing.T) {
	m := &parameter.Map{Parameters: []parameter.Class{{ID: "env:APP_QUEUE_SIZE"}, {ID: "env:APP_HOST"}}}
	parse := func(text string) []change.Setting {
		settings, err := change.Parse("app.env", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return settings
	}
	before, after := parse("APP_QUEUE_SIZE=3\nAPP_HOST=a\n"), parse("APP_QUEUE_SISE=4\nAPP_HOST=a\nAPP_HOST_2=b\n")
	changes := Link(m, change.Between(before, after), before, after)
	Misspell(m, changes, before, after, func(string) bool { return false })
	for _, c := range changes {
		if want := c.Path == "APP_QUEUE_SISE"; want != (c.Misspelt != nil) || want && c.Misspelt.For != "APP_QUEUE_SIZE" {
			t.Errorf("%s: %+v", c.Path, c.Misspelt)
		}
	}
}
