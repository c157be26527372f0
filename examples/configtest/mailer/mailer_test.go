package main

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
)

func settings(t *testing.T, own map[string]any) *koanf.Koanf {
	t.Helper()
	k, err := load("")
	if err == nil {
		err = k.Load(confmap.Provider(own, "."), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestPausesGrow: each is at least as long as the one before, and the first two differ.
func TestPausesGrow(t *testing.T) {
	got := delays(settings(t, nil))
	if !slices.IsSorted(got) {
		t.Errorf("the pauses are %v: they get shorter", got)
	}
	if len(got) > 1 && got[0] == got[1] {
		t.Errorf("the pauses are %v: they do not grow", got)
	}
}

func TestPausesEnd(t *testing.T) {
	got := delays(settings(t, map[string]any{"retry.attempts": 4, "retry.backoff": "1m", "retry.max": "90s"}))
	if want := []time.Duration{time.Minute, 90 * time.Second, 90 * time.Second}; !slices.Equal(got, want) {
		t.Errorf("the pauses are %v, want %v", got, want)
	}
}

func TestFirstMessageGoesAtOnce(t *testing.T) {
	now := time.Unix(0, 0)
	l, err := newLimit(settings(t, nil), now)
	if err != nil || !l.allow(now) {
		t.Errorf("the first message has to wait: %v", err)
	}
}

func TestLimitFills(t *testing.T) {
	k, now := settings(t, nil), time.Unix(0, 0)
	if err := k.Set("limit.burst", 1); err != nil {
		t.Fatal(err)
	}
	l, err := newLimit(k, now)
	if err != nil || !l.allow(now) || l.allow(now) {
		t.Errorf("of two messages at once not just the first may go: %v", err)
	}
	if !l.allow(now.Add(time.Minute)) {
		t.Error("a minute later none may go")
	}
}

// TestPasswordsAreNotSentInPlainText: plain text is for those who say so.
func TestPasswordsAreNotSentInPlainText(t *testing.T) {
	k := settings(t, nil)
	if k.String("smtp.tls") != "off" && secured(k) == plain {
		t.Errorf("smtp.tls is %q, and the connection is plain text", k.String("smtp.tls"))
	}
}

func TestGreeting(t *testing.T) {
	dial := func(ctx context.Context, _ string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			_, _ = server.Write([]byte("220 hello"))
			_ = server.Close()
		}()
		return client, nil
	}
	if got, err := greet(t.Context(), settings(t, nil), dial); err != nil || got != "220 hello" {
		t.Errorf("the greeting is %q, %v", got, err)
	}
}

func TestNoServer(t *testing.T) {
	gone := errors.New("nobody there")
	dial := func(_ context.Context, to string) (net.Conn, error) {
		if to != "mail.example.com:25" {
			t.Errorf("dialled %s", to)
		}
		return nil, gone
	}
	k := settings(t, map[string]any{"smtp.host": "mail.example.com", "smtp.port": 25})
	if _, err := greet(t.Context(), k, dial); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
}

func TestSenderIsAsked(t *testing.T) {
	if err := start(t.Context(), settings(t, map[string]any{"message.from": ""})); err == nil {
		t.Error("it starts without a sender")
	}
}
