package operator

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Checksum is a short name of what configuration says: as an annotation of pods it makes
// them new ones when that changes.
func Checksum(data map[string]string) string {
	text, err := json.Marshal(data) // sorted by key
	if err != nil {
		panic(err) // texts are always JSON
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))[:16]
}
