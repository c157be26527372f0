package value

import (
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
)

// guard tells whether a property switches on what stands beside it, by its name, and
// with which value: enabled with true, disabled with false.
func guard(p *schema.Property) (on, is bool) {
	if p.Schema.Type != "boolean" {
		return false, false
	}
	switch strings.ToLower(p.Name) {
	case "enabled", "enable":
		return true, true
	case "disabled", "disable":
		return false, true
	}
	return false, false
}
