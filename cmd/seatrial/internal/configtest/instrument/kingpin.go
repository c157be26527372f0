package instrument

func init() {
	for _, path := range []string{"github.com/alecthomas/kingpin", "github.com/alecthomas/kingpin/v2", "gopkg.in/alecthomas/kingpin.v2"} {
		register(library{path: path, source: "kingpin", patches: []patch{
			{receiver: "FlagClause", function: "setDefault", insert: "if seatrialIs, seatrialFailed := seatrialDefault(f); seatrialIs { return seatrialFailed }; "},
			{receiver: "Application", function: "setValues", insert: "seatrialSet(context); "},
		}})
	}
}
