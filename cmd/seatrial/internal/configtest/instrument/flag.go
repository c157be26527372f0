package instrument

func init() {
	register(library{path: "flag", source: "flag", patches: []patch{
		{receiver: "FlagSet", function: "Parse", insert: "defer seatrialParse(f, arguments)(); "},
		{receiver: "FlagSet", function: "Set", insert: "seatrialSet(name, value); "},
		{function: "Set", insert: "seatrialSet(name, value); "},
	}})
}
