package instrument

func init() {
	register(library{path: "github.com/spf13/pflag", source: "pflag", patches: []patch{
		{receiver: "FlagSet", function: "Parse", insert: "seatrialParse(f); "},
		{receiver: "FlagSet", function: "ParseAll", insert: "seatrialParse(f); "},
		{receiver: "FlagSet", function: "Set", insert: "seatrialSet(name, value); "},
		{receiver: "FlagSet", function: "getFlagType", insert: "seatrialRead(f, name); "},
	}})
}
