package archive

import (
	"strings"
	"testing"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

func TestPack(t *testing.T) {
	c := config.Default()
	name, _, err := Pack(&c.Archive, "a", make([]byte, 2000))
	if err != nil || c.Archive.Enabled && !strings.Contains(name, "a") {
		t.Errorf("it is archived as %q, %v", name, err)
	}
}

func TestOff(t *testing.T) {
	c := config.Default().Archive
	c.Enabled = false
	if name, _, err := Pack(&c, "a", nil); name != "" || err != nil {
		t.Errorf("it is archived as %q, %v", name, err)
	}
}

func TestPlain(t *testing.T) {
	c := config.Default().Archive
	c.Compression, c.MaxSize = "none", "1Ki"
	if _, packed, err := Pack(&c, "a", []byte("x")); string(packed) != "x" || err != nil {
		t.Errorf("it is archived as %q, %v", packed, err)
	}
}

// TestADayIsKept: whoever deletes something by mistake has a day to notice.
func TestADayIsKept(t *testing.T) {
	now := time.Unix(1e9, 0)
	if Expired(&config.Default().Archive, now.Add(-24*time.Hour), now) {
		t.Error("it is gone after a day")
	}
}
