package main

import (
	"fmt"
	"strings"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// defaults is what holds where nobody says anything else.
var defaults = map[string]any{
	"smtp.host":      "localhost",
	"smtp.port":      2525,
	"smtp.tls":       "starttls", // off, starttls or always
	"smtp.timeout":   "10s",
	"retry.attempts": 5,
	"retry.backoff":  "1s",
	"retry.max":      "10m",
	"limit.burst":    10,
	"limit.perHour":  3600,
	"message.from":   "noreply@example.com",
}

// load reads the settings: defaults, above them the file if there is one, and above all the
// environment, in which MAILER_SMTP__PORT is smtp.port.
func load(name string) (*koanf.Koanf, error) {
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(defaults, "."), nil); err != nil {
		return nil, err
	}
	if name != "" {
		if err := k.Load(file.Provider(name), yaml.Parser()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	environment := env.Provider(".", env.Opt{Prefix: "MAILER_", TransformFunc: func(name, value string) (string, any) {
		name = strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, "MAILER_")), "__", ".")
		return strings.ReplaceAll(name, "perhour", "perHour"), value
	}})
	return k, k.Load(environment, nil)
}
