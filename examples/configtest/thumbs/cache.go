package main

import (
	"time"

	"github.com/spf13/viper"
)

// cache keeps thumbnails for some time, the oldest goes first.
type cache struct {
	ttl   time.Duration
	size  int
	order []string
	kept  map[string]entry
}

type entry struct {
	picture []byte
	made    time.Time
}

func newCache(v *viper.Viper) *cache {
	return &cache{ttl: v.GetDuration("cache.ttl"), size: v.GetInt("cache.size"), kept: map[string]entry{}}
}

func (c *cache) put(name string, picture []byte, now time.Time) {
	if _, is := c.kept[name]; !is {
		c.order = append(c.order, name)
	}
	c.kept[name] = entry{picture, now}
	for len(c.order) > c.size {
		delete(c.kept, c.order[0])
		c.order = c.order[1:]
	}
}

func (c *cache) get(name string, now time.Time) ([]byte, bool) {
	e, is := c.kept[name]
	if !is || now.Sub(e.made) > c.ttl {
		return nil, false
	}
	return e.picture, true
}
