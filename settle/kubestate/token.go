package kubestate

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/types"
)

// UIDs and resourceVersions are tokens: texts that can be recognised wherever a
// controller has put them, in an annotation or in the middle of a name, so that a search
// can rename them.
//
// A resourceVersion is a one, five digits for which of all creations its object is of,
// six for how often that was written, and six that are of the key. It grows with each
// write of an object, also when that is created again, and depends on nothing
// else: the same write of the same object gives the same bytes in every State. Two keys
// may have the same six digits; then what is known of one is taken to be known of the
// other, too, and States are told apart more than needed.
const (
	uidPrefix   = "5ea7c1a1-0000-4000-8000-"
	uidFormat   = uidPrefix + "%012d"
	keyMax      = 1_000_000
	writeMax    = 1_000_000
	creationMax = 100_000
	step        = keyMax
	leading     = creationMax * writeMax * keyMax
)

func uidToken(n uint64) types.UID { return types.UID(fmt.Sprintf(uidFormat, n)) }

// firstVersion is the resourceVersion of the object under key that is the nth to be
// created; each write adds a step.
func firstVersion(n uint64, key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return leading + n%creationMax*writeMax*keyMax + h.Sum64()%keyMax
}

// Generations are tokens if Config.Generations says so: five digits that begin them all, five
// of the key, and six that count. A JSON number holds them exactly, wherever a controller
// notes one, and they grow as others do; only a program that compares one with 1 can tell.
const (
	generationLength = 16
	generationPrefix = "70417"
	generationMax    = 1_000_000
	generationDigits = 6
)

// FirstGeneration is that of a new object, or of whatever else is counted under a key of its
// own, and is to be renamed as generations are.
func FirstGeneration(key string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	leading, _ := strconv.ParseInt(generationPrefix, 10, 64)
	return (leading*100_000+int64(h.Sum64()%100_000))*generationMax + 1
}

// generations are generations in a text, and other counts.
var generations = regexp.MustCompile(`\b` + generationPrefix + `[0-9]{5}([0-9]{6})\b`)

// Counted is a text for a reader, in which generations are the numbers that they are for an API server: how
// often a spec was written.
func Counted(text string) string {
	return generations.ReplaceAllStringFunc(text, func(token string) string {
		if count := strings.TrimLeft(token[generationLength-generationDigits:], "0"); count != "" {
			return count
		}
		return "0"
	})
}

// InOrder has texts tell generations, and other counts, by their order among those of the same key only: two
// clusters that differ in how far was counted become the same.
func InOrder(texts []string) {
	var all []string
	for _, text := range texts {
		all = append(all, generations.FindAllString(text, -1)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, text := range texts {
		texts[i] = generations.ReplaceAllStringFunc(text, func(token string) string {
			key := token[:generationLength-generationDigits]
			first := slices.IndexFunc(all, func(other string) bool { return strings.HasPrefix(other, key) })
			return fmt.Sprintf("%s%0*d", key, generationDigits, slices.Index(all, token)-first)
		})
	}
}

// listVersion is the resourceVersion of a list, which is of no object.
func listVersion(writes uint64) string { return strconv.FormatUint(leading+writes*step, 10) }
