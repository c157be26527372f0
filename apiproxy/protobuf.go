package apiproxy

import (
	"encoding/binary"
	"errors"
)

// protobufMagic begins every body in protobuf; runtime.Unknown follows.
var protobufMagic = []byte("k8s\x00")

// The numbers of fields, which never change
// (k8s.io/apimachinery/pkg/runtime and pkg/apis/meta/v1, generated.proto).
const (
	unknownRaw = 2
	// Metadata is the first field of every kind that is stored.
	objectMetadata = 1

	metadataName            = 1
	metadataGenerateName    = 2
	metadataUID             = 5
	metadataResourceVersion = 6

	deletePreconditions = 2
	deleteOrphan        = 3
	deletePropagation   = 4
	deleteDryRun        = 5

	preconditionUID             = 1
	preconditionResourceVersion = 2

	evictionDeleteOptions = 2
)

// metadata is the part of an object's metadata that says which one is meant.
type metadata struct {
	name, generateName, uid, resourceVersion string
}

// metadataOf reads the metadata of an object in a runtime.Unknown. What cannot be
// read is empty.
func metadataOf(unknown []byte) metadata {
	var m metadata
	_ = eachField(bytesIn(unknown, unknownRaw, objectMetadata), func(number uint64, value []byte, _ uint64) {
		switch number {
		case metadataName:
			m.name = string(value)
		case metadataGenerateName:
			m.generateName = string(value)
		case metadataUID:
			m.uid = string(value)
		case metadataResourceVersion:
			m.resourceVersion = string(value)
		}
	})
	return m
}

// deletionOf reads DeleteOptions.
func deletionOf(message []byte) deletion {
	var d deletion
	_ = eachField(message, func(number uint64, value []byte, whole uint64) {
		switch number {
		case deletePreconditions:
			d.Preconditions.UID = string(bytesIn(value, preconditionUID))
			d.Preconditions.ResourceVersion = string(bytesIn(value, preconditionResourceVersion))
		case deleteOrphan:
			orphan := whole != 0
			d.OrphanDependents = &orphan
		case deletePropagation:
			d.PropagationPolicy = string(value)
		case deleteDryRun:
			d.DryRun = append(d.DryRun, string(value))
		}
	})
	return d
}

// bytesIn follows field numbers from message to message. It is nil if one of them
// is missing or cannot be read.
func bytesIn(message []byte, path ...uint64) []byte {
	for _, want := range path {
		var found []byte
		_ = eachField(message, func(number uint64, value []byte, _ uint64) {
			if number == want && found == nil {
				found = value
			}
		})
		message = found
	}
	return message
}

var errProtobuf = errors.New("not a protobuf message")

// eachField visits the fields of a message in order: value is that of a sequence
// of bytes (a text, a message), whole that of a varint. It ends with an error at
// the first thing that is no field; nothing is read beyond the message.
func eachField(message []byte, visit func(number uint64, value []byte, whole uint64)) error {
	const varint, fixed64, lengthDelimited, fixed32 = 0, 1, 2, 5
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return errProtobuf
		}
		message = message[n:]
		size, whole := uint64(0), uint64(0)
		switch tag & 7 {
		case varint:
			value, n := binary.Uvarint(message)
			if n <= 0 {
				return errProtobuf
			}
			whole, size = value, uint64(n)
		case fixed64:
			size = 8
		case fixed32:
			size = 4
		case lengthDelimited:
			length, n := binary.Uvarint(message)
			if n <= 0 {
				return errProtobuf
			}
			message, size = message[n:], length
		default:
			return errProtobuf
		}
		if size > uint64(len(message)) {
			return errProtobuf
		}
		switch tag & 7 {
		case lengthDelimited:
			visit(tag>>3, message[:size:size], 0)
		case varint:
			visit(tag>>3, nil, whole)
		}
		message = message[size:]
	}
	return nil
}
