package instrument

func init() {
	register(library{path: "github.com/magiconair/properties", source: "properties", patches: []patch{
		{receiver: "Properties", function: "Get", insert: "defer func() { seatrialRead(p, key, value) }(); "},
		{receiver: "Properties", function: "Map", result: "seatrialResult", insert: "defer func() { seatrialAll(p, seatrialResult) }(); ", optional: true},
		{receiver: "Properties", function: "FilterStripPrefix", result: "seatrialResult", insert: "defer seatrialPart(p, prefix, &seatrialResult); "},
		{receiver: "Properties", function: "Set", insert: "seatrialSet(p, key, value); "},
		{receiver: "Loader", function: "LoadFile", insert: "defer seatrialFrom(filename)(); "},
		{function: "parse", insert: "defer func() { seatrialLoaded(properties) }(); "},
	}})
}
