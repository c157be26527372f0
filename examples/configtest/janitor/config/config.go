// Package config is what the janitor is told, in the way of Kubernetes' own components: one versioned
// struct, read from a file, with flags for some of its fields.
package config

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"go.yaml.in/yaml/v3"
)

// Config is all of it.
type Config struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	// Logging is embedded: its fields are keys of the file.
	Logging          `yaml:",inline"`
	LeaderElection   LeaderElection   `yaml:"leaderElection"`
	ClientConnection ClientConnection `yaml:"clientConnection"`
	Healthz          Endpoint         `yaml:"healthz"`
	Metrics          Endpoint         `yaml:"metrics"`
	Sweep            Sweep            `yaml:"sweep"`
	Archive          Archive          `yaml:"archive"`
	Quota            Quota            `yaml:"quota"`
	Notify           Notify           `yaml:"notify"`
	FeatureGates     map[string]bool  `yaml:"featureGates"`
}

// Logging says what is logged, and how.
type Logging struct {
	Level  int    `yaml:"logLevel"`
	Format string `yaml:"logFormat"`
}

// LeaderElection says who works if there are several.
type LeaderElection struct {
	LeaderElect       bool     `yaml:"leaderElect"`
	LeaseDuration     Duration `yaml:"leaseDuration"`
	RenewDeadline     Duration `yaml:"renewDeadline"`
	RetryPeriod       Duration `yaml:"retryPeriod"`
	ResourceName      string   `yaml:"resourceName"`
	ResourceNamespace string   `yaml:"resourceNamespace"`
}

// ClientConnection says how the API server is asked.
type ClientConnection struct {
	Kubeconfig  string  `yaml:"kubeconfig"`
	ContentType string  `yaml:"contentType"`
	QPS         float32 `yaml:"qps"`
	Burst       int32   `yaml:"burst"`
}

// Endpoint is where something is served.
type Endpoint struct {
	Address string `yaml:"bindAddress"`
	Port    int    `yaml:"port"`
}

// Concurrency is embedded where there are workers.
type Concurrency struct {
	Workers     int `yaml:"workers"`
	QueueLength int `yaml:"queueLength"`
}

// Sweep says what is deleted.
type Sweep struct {
	Concurrency `yaml:",inline"`
	Interval    Duration `yaml:"interval"`
	MaxAge      Duration `yaml:"maxAge"`
	MinKeep     int      `yaml:"minKeep"`
	BatchSize   int      `yaml:"batchSize"`
	Order       string   `yaml:"order"`
	Exclude     []string `yaml:"exclude"`
	DryRun      *bool    `yaml:"dryRun"`
}

// Archive says what is kept of what is deleted.
type Archive struct {
	Concurrency `yaml:",inline"`
	Enabled     bool     `yaml:"enabled"`
	Directory   string   `yaml:"directory"`
	Compression string   `yaml:"compression"`
	Retention   Duration `yaml:"retention"`
	MaxSize     string   `yaml:"maxSize"`
}

// Quota says when somebody has too much.
type Quota struct {
	SoftPercent  int            `yaml:"softPercent"`
	HardPercent  int            `yaml:"hardPercent"`
	Grace        Duration       `yaml:"grace"`
	PerNamespace map[string]int `yaml:"perNamespace"`
}

// Notify says who hears of it.
type Notify struct {
	URL      string   `yaml:"url"`
	Timeout  Duration `yaml:"timeout"`
	Retries  int      `yaml:"retries"`
	Template string   `yaml:"template"`
}

// Duration is one as people write it. A number is seconds.
type Duration struct{ time.Duration }

// UnmarshalYAML reads it.
func (d *Duration) UnmarshalYAML(node *yaml.Node) error {
	var seconds int64
	if node.Decode(&seconds) == nil {
		d.Duration = time.Duration(seconds) * time.Second
		return nil
	}
	var err error
	d.Duration, err = time.ParseDuration(node.Value)
	return err
}

// Default is what holds where the file says nothing.
func Default() *Config {
	return &Config{
		APIVersion:       "janitor.example.com/v1",
		Kind:             "JanitorConfiguration",
		Logging:          Logging{Level: 2, Format: "text"},
		LeaderElection:   LeaderElection{LeaderElect: true, LeaseDuration: seconds(15), RenewDeadline: seconds(10), RetryPeriod: seconds(2), ResourceName: "janitor", ResourceNamespace: "kube-system"},
		ClientConnection: ClientConnection{ContentType: "application/json", QPS: 20, Burst: 30},
		Healthz:          Endpoint{Address: "127.0.0.1", Port: 8081},
		Metrics:          Endpoint{Address: "127.0.0.1", Port: 8082},
		Sweep:            Sweep{Concurrency: Concurrency{Workers: 2, QueueLength: 64}, Interval: seconds(60), MaxAge: seconds(7 * 24 * 3600), MinKeep: 3, BatchSize: 10, Order: "oldest", Exclude: []string{"kube-system"}},
		Archive:          Archive{Concurrency: Concurrency{Workers: 1, QueueLength: 16}, Enabled: true, Directory: "archive", Compression: "gzip", Retention: seconds(30 * 24 * 3600), MaxSize: "10Mi"},
		Quota:            Quota{SoftPercent: 80, HardPercent: 95, Grace: seconds(3600), PerNamespace: map[string]int{"default": 100}},
		Notify:           Notify{Timeout: seconds(5), Retries: 3, Template: "%s was deleted"},
		FeatureGates:     map[string]bool{},
	}
}

func seconds(n int64) Duration { return Duration{time.Duration(n) * time.Second} }

// Flags registers those that there are, with what c holds as their defaults.
func (c *Config) Flags(flags *flag.FlagSet) {
	flags.IntVar(&c.Level, "v", c.Level, "how much is logged")
	flags.IntVar(&c.Sweep.Workers, "workers", c.Sweep.Workers, "how many sweep at once")
	flags.DurationVar(&c.Sweep.Interval.Duration, "interval", c.Sweep.Interval.Duration, "how often")
	flags.BoolVar(&c.LeaderElection.LeaderElect, "leader-elect", c.LeaderElection.LeaderElect, "whether one of several works")
}

// Load reads a file above the defaults, and refuses what cannot be.
func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := Default()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, c.Validate()
}

// Validate says what cannot be. It has a mistake: whether there is time to renew a lease is not looked at.
func (c *Config) Validate() error {
	if c.Kind != "JanitorConfiguration" {
		return fmt.Errorf("kind is %q", c.Kind)
	}
	if c.Healthz == c.Metrics {
		return errors.New("healthz and metrics are served at one address")
	}
	if c.Quota.SoftPercent > c.Quota.HardPercent {
		return errors.New("quota.softPercent is above quota.hardPercent")
	}
	return nil
}
