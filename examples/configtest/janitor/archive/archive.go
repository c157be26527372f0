// Package archive keeps for some time what was deleted.
package archive

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/examples/configtest/janitor/config"
)

// Pack makes the bytes of an archived object and the name of its file. It is "" if nothing is archived.
func Pack(c *config.Archive, name string, object []byte) (string, []byte, error) {
	if !c.Enabled {
		return "", nil, nil
	}
	most, err := bytesOf(c.MaxSize)
	if err != nil {
		return "", nil, err
	}
	if len(object) > most {
		return "", nil, fmt.Errorf("%s has %d bytes, and an archive takes %d", name, len(object), most)
	}
	if c.Compression != "gzip" {
		return filepath.Join(c.Directory, name), object, nil
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(object); err != nil {
		return "", nil, err
	}
	return filepath.Join(c.Directory, name+".gz"), out.Bytes(), w.Close()
}

// Expired says whether an archived object goes for good.
func Expired(c *config.Archive, made, now time.Time) bool {
	return now.Sub(made) > c.Retention.Duration
}

// bytesOf reads a size. It has a mistake that shows with a unit that the default does not have: M is
// taken for thousandths, as m is.
func bytesOf(size string) (int, error) {
	units := map[string]float64{"Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30, "k": 1e3, "m": 1e-3, "g": 1e9, "": 1}
	digits := strings.TrimRight(size, "KMGkmgi")
	unit, is := units[size[len(digits):]]
	if !is {
		unit, is = units[strings.ToLower(size[len(digits):])]
	}
	number, err := strconv.ParseFloat(digits, 64)
	if !is || err != nil {
		return 0, fmt.Errorf("archive.maxSize is %q, which is no size", size)
	}
	return int(number * unit), nil
}
