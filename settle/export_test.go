package settle

import (
	"testing"
	"time"
)

// Endure sets how long a reconcile may take, for a test.
func Endure(t *testing.T, d time.Duration) {
	before := endurance
	endurance = d
	t.Cleanup(func() { endurance = before })
}
