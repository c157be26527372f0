package main

import (
	"fmt"
	"strings"

	"github.com/spf13/viper"
)

// load reads the settings: the file, if there is one, above it the environment (THUMBS_CACHE_TTL is
// cache.ttl), and below both the defaults.
func load(file string) (*viper.Viper, error) {
	v := viper.New()
	v.SetDefault("server.address", "localhost")
	v.SetDefault("server.port", 8080)
	v.SetDefault("cache.ttl", "300s")
	v.SetDefault("cache.size", 128)
	v.SetDefault("image.format", "jpeg")
	v.SetDefault("image.quality", 80)
	v.SetDefault("image.width", 64)
	v.SetDefault("queue.workers", 4)
	v.SetDefault("queue.batch", 16)
	v.RegisterAlias("workers", "queue.workers") // its name until version 2
	v.SetEnvPrefix("thumbs")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	if file == "" {
		return v, nil
	}
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return v, nil
}
