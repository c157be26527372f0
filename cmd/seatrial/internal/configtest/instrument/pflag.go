package instrument

func init() {
	register(library{path: "github.com/spf13/pflag", source: "pflag", patches: []patch{
		{receiver: "FlagSet", function: "Parse", result: "seatrialErr", insert: "defer seatrialParse(f, &seatrialErr)(); "},
		{receiver: "FlagSet", function: "ParseAll", result: "seatrialErr", insert: "defer seatrialParse(f, &seatrialErr)(); "},
		{receiver: "FlagSet", function: "Set", insert: "value = seatrialSet(name, value); "},
		{receiver: "FlagSet", function: "getFlagType", insert: "seatrialRead(f, name); "},
	}})
}
