package instrument

func init() {
	register(library{path: "flag", source: "flag", patches: []patch{
		{receiver: "FlagSet", function: "Parse", result: "seatrialErr", insert: "arguments = seatrialCopied(f, arguments); defer seatrialParse(f, arguments, &seatrialErr)(); "},
		{receiver: "FlagSet", function: "Set", insert: "value = seatrialSet(name, value); "},
		{function: "Set", insert: "value = seatrialSet(name, value); "},
	}})
}
