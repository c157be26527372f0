package instrument

func init() {
	for _, path := range []string{"github.com/knadh/koanf", "github.com/knadh/koanf/v2"} {
		typed := getters("Koanf", "ko, path", "Bool", "Duration", "Float64", "Int64")
		register(library{path: path, source: "koanf", documents: true, patches: append(typed, []patch{
			{receiver: "Koanf", function: "Get", result: "seatrialResult", insert: "defer seatrialRead(ko, path, (*interface{})(&seatrialResult)); "},
			{receiver: "Koanf", function: "All", result: "seatrialResult", insert: "defer func() { seatrialAll(ko, seatrialResult) }(); ", optional: true},
			{receiver: "Koanf", function: "Raw", result: "seatrialResult", insert: "defer func() { seatrialAll(ko, seatrialResult) }(); ", optional: true},
			{receiver: "Koanf", function: "Cut", result: "seatrialResult", insert: "defer seatrialCut(ko, path, &seatrialResult); "},
			{receiver: "Koanf", function: "UnmarshalWithConf", insert: "defer seatrialDecodes(ko, path, o); ", optional: true},
			{receiver: "Koanf", function: "Load", result: "seatrialResult", insert: "defer seatrialLoaded(ko, p, pa, &seatrialResult); "},
			{receiver: "Koanf", function: "Set", optional: true, insert: "val = seatrialSet(ko, key, val); "},
		}...)})
	}
}
