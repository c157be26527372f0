package library

import (
	"os"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/spec/value"
)

var _ = enter("IOUtils", nil,
	Operator{Name: "IOEnv", Apply: func(c Context, _ []Value) Value {
		allowed(c, "IOEnv", "reads the environment")
		var names, values []Value
		for _, variable := range os.Environ() {
			name, text, _ := strings.Cut(variable, "=")
			names, values = append(names, value.OfString(name)), append(values, value.OfString(text))
		}
		return value.OfPairs(names, values)
	}},
	one("atoi", func(v Value) Value {
		text, _ := v.Text()
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			fail("%s is no number", v)
		}
		return value.OfInt(n)
	}),
	two("zeroPadN", func(n, width Value) Value {
		digits := strconv.FormatInt(n.Int("the first argument of zeroPadN"), 10)
		missing := min(width.Int("the second argument of zeroPadN"), widest) - int64(len(digits))
		return value.OfString(strings.Repeat("0", int(max(missing, 0))) + digits)
	}),
	reading("Deserialize", 2, 0, func(text string, args []Value) Value {
		if format, ok := value.At(args[1], value.OfString("format")); !ok || format != value.OfString("TXT") {
			fail("%s: only the format \"TXT\" can be read", args[1])
		}
		return value.OfString(text)
	}),
	refused("IODeserialize", 2, "reads what Java has written"),
	refused("IOSerialize", 3, "writes a file"),
	refused("Serialize", 3, "writes a file"),
	refused("IOExec", 1, "runs a program"),
	refused("IOEnvExec", 2, "runs a program"),
	refused("IOExecTemplate", 2, "runs a program"),
	refused("IOEnvExecTemplate", 3, "runs a program"),
)

// widest bounds the texts that zeroPadN makes.
const widest = 1 << 16
