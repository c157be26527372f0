// Package notify says to others what went.
package notify

import (
	"fmt"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

// Text is what is said of a thing.
func Text(c *config.Notify, name string) string { return fmt.Sprintf(c.Template, name) }

// Send says it, again if it has to.
func Send(c *config.Notify, text string, post func(url, text string, within time.Duration) error) error {
	if c.URL == "" {
		return nil
	}
	var err error
	for range c.Retries {
		if err = post(c.URL, text, c.Timeout.Duration); err == nil {
			return nil
		}
	}
	return err // a mistake: it is nil if nothing was tried
}
