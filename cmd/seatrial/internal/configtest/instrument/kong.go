package instrument

func init() {
	register(library{path: "github.com/alecthomas/kong", source: "kong", patches: []patch{
		{receiver: "Value", function: "Reset", insert: "if seatrialIs, seatrialFailed := seatrialDefault(v); seatrialIs { return seatrialFailed }; "},
		{receiver: "Kong", function: "Parse", insert: "if seatrialFailed := seatrialStrange(k); seatrialFailed != nil { return nil, seatrialFailed }; ", optional: true},
	}})
	register(library{path: "github.com/jessevdk/go-flags", source: "goflags", patches: []patch{
		{receiver: "Option", function: "clearDefault", insert: "if seatrialIs, seatrialFailed := seatrialDefault(option); seatrialIs { return seatrialFailed }; "},
	}})
}
