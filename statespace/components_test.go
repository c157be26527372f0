package statespace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"
)

func TestInterningIsLossless(t *testing.T) {
	for name, mask := range map[string]uint64{"full hashes": ^uint64(0), "three bits of hash": 1, "no hash": 0} {
		t.Run(name, func(t *testing.T) {
			c := NewComponents()
			c.hashMask = mask
			r := rand.New(rand.NewPCG(1, 1))
			known := map[string]ID{}
			for range 3_000 {
				b := make([]byte, r.IntN(40)*r.IntN(2)*r.IntN(2))
				for i := range b {
					b[i] = byte(r.IntN(3))
				}
				b = fmt.Appendf(b, "%d", r.IntN(700))
				id := c.Intern(b)
				if want, ok := known[string(b)]; ok && id != want {
					t.Fatalf("%q has ids %d and %d", b, want, id)
				}
				known[string(b)] = id
				clear(b)
			}
			if c.Len() != len(known) {
				t.Errorf("Len %d, want %d", c.Len(), len(known))
			}
			for text, id := range known {
				if got := c.Bytes(id); string(got) != text || cap(got) != len(got) {
					t.Errorf("id %d is %q with capacity %d, want %q", id, got, cap(got), text)
				}
				h := xxh3.Hash128([]byte(text))
				if got := c.Hash(id); binary.BigEndian.Uint64(got[:8]) != h.Hi || binary.BigEndian.Uint64(got[8:]) != h.Lo {
					t.Errorf("hash of %q is %x", text, got)
				}
			}
		})
	}
}

func TestIDsAreDense(t *testing.T) {
	c := NewComponents()
	large := bytes.Repeat([]byte{7}, 3*arenaBytes)
	for i := range 5_000 {
		if id := c.Intern(fmt.Append(nil, i)); id != ID(i) {
			t.Fatalf("the %d-th component has id %d", i, id)
		}
	}
	if id := c.Intern(large); !bytes.Equal(c.Bytes(id), large) {
		t.Error("a large component is not kept")
	}
	if c.Intern(nil) != c.Intern([]byte{}) {
		t.Error("nil and empty differ")
	}
}

func TestInterningFromManyGoroutines(t *testing.T) {
	c := NewComponents()
	const each = 4_000
	var ids [8][each]ID
	var group sync.WaitGroup
	for g := range ids {
		group.Go(func() {
			r := rand.New(rand.NewPCG(uint64(g), 2))
			for _, i := range r.Perm(each) {
				b := fmt.Appendf(nil, "component %d", i)
				id := c.Intern(b)
				if !bytes.Equal(c.Bytes(id), b) {
					t.Errorf("id %d is %q, want %q", id, c.Bytes(id), b)
				}
				ids[g][i] = id
			}
		})
	}
	group.Wait()
	if c.Len() != each {
		t.Errorf("Len %d, want %d", c.Len(), each)
	}
	for g := range ids {
		if ids[g] != ids[0] {
			t.Errorf("goroutine %d got other ids", g)
		}
	}
}

// The key of a vector depends on contents and slots, never on ids.
func TestVectorKeysDependOnContentsAndSlots(t *testing.T) {
	keyOf := func(first []string, parts ...string) key {
		m := badVectors{components: NewComponents(), width: len(parts)}
		for _, f := range first {
			m.components.Intern([]byte(f))
		}
		d, err := newVectorDoor(m, &predicates[[]ID]{})
		if err != nil {
			t.Fatal(err)
		}
		rec := make([]uint64, d.words())
		for i, p := range parts {
			d.view(rec)[i] = m.components.Intern([]byte(p))
		}
		return d.stepper().key(rec)
	}
	if keyOf(nil, "a", "b", "c") != keyOf([]string{"c", "x", "b"}, "a", "b", "c") {
		t.Error("the order of interning changes the key")
	}
	keys := map[key]string{}
	for _, parts := range [][]string{{"a", "b", "c"}, {"b", "a", "c"}, {"a", "a", "c"}, {"c", "a", "a"}, {"b", "b", "c"}, {"a", "b"}, {}} {
		k := keyOf(nil, parts...)
		if other, ok := keys[k]; ok {
			t.Errorf("%v and %s have one key", parts, other)
		}
		keys[k] = fmt.Sprint(parts)
	}
}
