package instrument

func init() {
	register(library{path: "gopkg.in/ini.v1", source: "ini", patches: []patch{
		{receiver: "Key", function: "String", result: "seatrialResult", insert: "defer seatrialRead(k, &seatrialResult); "},
		{receiver: "Section", function: "KeysHash", result: "seatrialResult", insert: "defer func() { seatrialHash(s, seatrialResult) }(); ", optional: true},
		{receiver: "Key", function: "SetValue", insert: "seatrialSet(k, v); "},
		{receiver: "File", function: "Reload", insert: "defer seatrialLoaded(f); "},
	}})
}
