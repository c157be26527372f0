package library

import (
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("Json", nil,
	one("ToJson", func(v Value) Value { return value.OfString(value.JSON(v)) }),
	one("ToJsonArray", func(v Value) Value {
		items := v.Items
		if v.IsSet() {
			items = v.Members
		}
		var b strings.Builder
		value.WriteJSONArray(&b, items())
		return value.OfString(b.String())
	}),
	one("ToJsonObject", func(v Value) Value { return value.OfString(value.JSONObject(v)) }),
	reading("JsonDeserialize", 1, 0, func(text string, args []Value) Value {
		documents := decoded(text, args[0])
		if len(documents) != 1 {
			fail("%s has not one JSON document", args[0])
		}
		return documents[0]
	}),
	reading("ndJsonDeserialize", 1, 0, func(text string, args []Value) Value { return value.OfTuple(decoded(text, args[0])) }),
	refused("JsonSerialize", 2, "writes a file"),
	refused("ndJsonSerialize", 2, "writes a file"),
)

// decoded are the JSON documents in a text, one after another.
func decoded(text string, file Value) (all []Value) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	for {
		var document any
		switch err := d.Decode(&document); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			value.Fail("%s, after %d bytes: %v", value.Describe(file), d.InputOffset(), err)
		}
		all = append(all, value.OfJSON(document))
	}
}

func fail(format string, v Value) { value.Fail(format, value.Describe(v)) }
