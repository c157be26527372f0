package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

func TestText(t *testing.T) {
	if got := Text(&config.Default().Notify, "web"); !strings.Contains(got, "web") || strings.Contains(got, "%!") {
		t.Errorf("it says %q", got)
	}
}

func TestIsSent(t *testing.T) {
	c := config.Default()
	c.Notify.URL = "http://example.com"
	sent := 0
	err := Send(&c.Notify, "x", func(string, string, time.Duration) error { sent++; return nil })
	if err != nil || sent != 1 {
		t.Errorf("it was sent %d times, %v", sent, err)
	}
}

func TestNobodyToTell(t *testing.T) {
	err := Send(&config.Notify{Retries: 1}, "x", func(string, string, time.Duration) error {
		t.Error("it was sent")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
