package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Fingerprints returns what each result is known by from one run to the next, in
// the order of the results. It depends on the rule, the property's name and the
// subject alone, never on verdict, message, trace or lines. Where a scenario asks
// the same of a subject several times, those after the first have their number at
// the end; that depends on the order in which it asks.
//
// A fingerprint is 32 hexadecimal digits, for those others with -2, -3 … behind.
func Fingerprints(results []Result) []string {
	prints := make([]string, len(results))
	seen := map[string]int{}
	for i, r := range results {
		p := fingerprint(r)
		seen[p]++
		if n := seen[p]; n > 1 {
			p += "-" + strconv.Itoa(n)
		}
		prints[i] = p
	}
	return prints
}

// fingerprintBytes is the length of a fingerprint before it is written out.
const fingerprintBytes = 16

func fingerprint(r Result) string {
	h := sha256.New()
	for _, part := range []string{"seatrial/v1", r.Rule, r.Name, r.Subject} {
		// Lengths keep "ab","c" apart from "a","bc".
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return hex.EncodeToString(h.Sum(nil)[:fingerprintBytes])
}
