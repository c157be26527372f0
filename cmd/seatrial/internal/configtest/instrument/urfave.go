package instrument

// A library of commands of which the second version parses with the package flag, and the third by itself.
func init() {
	second := library{path: "github.com/urfave/cli/v2", source: "urfave2", patches: []patch{
		{receiver: "Context", function: "lookupFlagSet", result: "seatrialResult", insert: "defer seatrialRead(name, &seatrialResult); "},
	}}
	for _, of := range []string{
		"Bool", "Duration", "Float64", "Float64Slice", "Generic", "Int", "Int64", "Int64Slice", "IntSlice", "Path", "String", "StringSlice",
		"Timestamp", "Uint", "Uint64", "UintSlice", "Uint64Slice",
	} {
		second.patches = append(second.patches, patch{receiver: of + "Flag", function: "Apply", insert: "seatrialVariables(f.Name, f.EnvVars); ", optional: true})
	}
	register(second)
	register(library{path: "github.com/urfave/cli/v3", source: "urfave3", patches: []patch{
		{receiver: "Command", function: "Run", insert: "seatrialRun(osArgs); "},
		{receiver: "Command", function: "set", insert: "seatrialSet(f, val); "},
		{receiver: "Command", function: "Value", result: "seatrialResult", insert: "defer seatrialRead(cmd, name, &seatrialResult); "},
		{receiver: "FlagBase", function: "PostParse", insert: "if seatrialErr := seatrialDefault(f.Names(), f.Sources.EnvKeys(), f.hasBeenSet, f.Set); seatrialErr != nil { return seatrialErr }; "},
	}})
}
