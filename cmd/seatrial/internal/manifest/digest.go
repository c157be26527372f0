package manifest

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is what a file held when it was read.
type Digest struct {
	File   string
	SHA256 string
	Bytes  int
}

func digests(files []file) []Digest {
	var all []Digest
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		all = append(all, Digest{f.name, hex.EncodeToString(sum[:]), len(f.data)})
	}
	return all
}
