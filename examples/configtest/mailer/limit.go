package main

import (
	"time"

	"github.com/knadh/koanf/v2"
)

// limit is a bucket of tokens, one for each message.
type limit struct {
	tokens, burst float64
	perSecond     float64
	last          time.Time
}

// limits is the part of the settings that is decoded at once.
type limits struct {
	Burst   int `koanf:"burst"`
	PerHour int `koanf:"perHour"`
}

func newLimit(k *koanf.Koanf, now time.Time) (*limit, error) {
	var l limits
	if err := k.Unmarshal("limit", &l); err != nil {
		return nil, err
	}
	return &limit{tokens: float64(l.Burst), burst: float64(l.Burst), perSecond: float64(l.PerHour) / 3600, last: now}, nil
}

// allow says whether a message may go now.
func (l *limit) allow(now time.Time) bool {
	l.tokens = min(l.burst, l.tokens+now.Sub(l.last).Seconds()*l.perSecond)
	l.last = now
	if l.tokens < 1 {
		return false
	}
	l.tokens--
	return true
}
