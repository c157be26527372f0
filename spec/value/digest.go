package value

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// digest is a hash of what a value is: equal values have equal digests, and that others have
// is as likely as a collision of 128 bits.
type digest [2]uint64

// Append adds to b the bytes that stand for the value: equal for equal values. Numbers, booleans and names are written
// out; sets and functions are their kind and their digest's parts.
func Append(b []byte, v Value) []byte {
	switch v.Kind() {
	case Bool, Int:
		return binary.LittleEndian.AppendUint64(append(b, byte(v.o.kind)), uint64(v.n))
	case None, Operator:
		Fail("%s cannot be part of a state", Describe(v))
	}
	o := v.canonical()
	o.digest()
	b = append(b, byte(o.kind))
	b = binary.LittleEndian.AppendUint64(b, o.high.Load())
	return binary.LittleEndian.AppendUint64(b, o.low.Load())
}

// canonical returns the one form of a value.
func (v Value) canonical() *object {
	switch v.Kind() {
	case Symbolic:
		if v.o.set.size() == -2 {
			if e, ok := v.o.set.(everything); ok {
				return &object{kind: Symbolic, other: &other{text: string(e)}}
			}
		}
		return v.list()
	case Rule:
		return v.function()
	}
	return v.o
}

func (o *object) content(b []byte) []byte {
	b = append(b, byte(o.kind))
	switch o.kind {
	case String, Model, Symbolic:
		return append(b, o.text...)
	case Function:
		b = Append(b, Value{o: o.domain})
	}
	for _, item := range o.items {
		b = Append(b, item)
	}
	return b
}

// digest fills in the digest of an object.
func (o *object) digest() {
	if o.known() {
		return
	}
	var buffer [512]byte
	sum := xxh3.Hash128(o.content(buffer[:0]))
	o.low.Store(sum.Lo)
	o.high.Store(max(sum.Hi, 1))
}

func digestOf(v Value) digest {
	if k := v.Kind(); k == Bool || k == Int {
		return digest{uint64(k), uint64(v.n)}
	}
	o := v.canonical()
	o.digest()
	return digest{o.high.Load(), o.low.Load()}
}
