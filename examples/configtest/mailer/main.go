// Mailer sends messages, not too many at once, and again where a server is not there; its settings
// are those of koanf.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/knadh/koanf/v2"
)

func main() {
	k, err := load(os.Getenv("MAILER_CONFIG"))
	if err == nil {
		err = start(context.Background(), k)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mailer:", err)
		os.Exit(1)
	}
}

// start greets the server, as often as it may.
func start(ctx context.Context, k *koanf.Koanf) error {
	if k.String("message.from") == "" {
		return errors.New("message.from is empty: no server takes that")
	}
	allowed, err := newLimit(k, time.Now())
	if err != nil {
		return err
	}
	var dialer net.Dialer
	for _, pause := range append(delays(k), 0) {
		if !allowed.allow(time.Now()) {
			return errors.New("too many messages")
		}
		if _, err = greet(ctx, k, func(ctx context.Context, to string) (net.Conn, error) { return dialer.DialContext(ctx, "tcp", to) }); err == nil {
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}
