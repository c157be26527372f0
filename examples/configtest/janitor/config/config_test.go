package config

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

func TestDefaultIsValid(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestLoad(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte("sweep:\n  maxAge: 60\n  workers: 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(file)
	if err != nil || c.Sweep.MaxAge != seconds(60) || c.Sweep.Workers != 5 {
		t.Errorf("loaded %+v, %v", c, err)
	}
}

func TestOneAddress(t *testing.T) {
	c := Default()
	c.Metrics = c.Healthz
	if c.Validate() == nil {
		t.Error("two things are served at one address")
	}
}

func TestFlags(t *testing.T) {
	c := Default()
	flags := flag.NewFlagSet("janitor", flag.ContinueOnError)
	c.Flags(flags)
	if err := flags.Parse([]string{"--workers=7"}); err != nil || c.Sweep.Workers != 7 {
		t.Errorf("there are %d workers, %v", c.Sweep.Workers, err)
	}
}
