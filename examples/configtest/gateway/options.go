package main

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"time"
)

// options are what the gateway is told by flags; the environment says what holds where a flag is not given.
type options struct {
	listen          string
	maxInFlight     int
	requestTimeout  time.Duration
	shutdownGrace   time.Duration
	idleSeconds     int
	compress        bool
	compressionSize int
}

// register adds the flags to a set.
func (o *options) register(flags *flag.FlagSet) {
	flags.StringVar(&o.listen, "listen", orElse("GATEWAY_LISTEN", "localhost:8000"), "where it listens")
	flags.IntVar(&o.maxInFlight, "max-in-flight", number("GATEWAY_MAX_IN_FLIGHT", 64), "how many requests are answered at once")
	flags.DurationVar(&o.requestTimeout, "request-timeout", 20*time.Second, "how long an answer may take")
	flags.DurationVar(&o.shutdownGrace, "shutdown-grace", 30*time.Second, "how long requests may take to end before the process does")
	flags.IntVar(&o.idleSeconds, "idle-timeout", 90, "seconds before an idle connection is closed")
	flags.BoolVar(&o.compress, "compress", truth("GATEWAY_COMPRESS", true), "compress large answers")
	flags.IntVar(&o.compressionSize, "compression-size", 1024, "bytes from which an answer is large")
}

// upstreams is where requests go, as GATEWAY_UPSTREAMS says: addresses with commas between them.
func upstreams() []string {
	return strings.Split(orElse("GATEWAY_UPSTREAMS", "localhost:9001,localhost:9002"), ",")
}

// adminToken opens the page of the administrator; empty closes it.
func adminToken() string { return os.Getenv("GATEWAY_ADMIN_TOKEN") }

func orElse(name, otherwise string) string {
	if value, is := os.LookupEnv(name); is {
		return value
	}
	return otherwise
}

func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// truth has a mistake: what is neither true nor false, such as yes, is false.
func truth(name string, otherwise bool) bool {
	value, is := os.LookupEnv(name)
	if !is {
		return otherwise
	}
	yes, _ := strconv.ParseBool(value)
	return yes
}
