package instrument

func init() {
	register(library{path: "github.com/spf13/viper", source: "viper", documents: true, patches: []patch{
		{receiver: "Viper", function: "Get", result: "seatrialResult", insert: "defer seatrialRead(v, key, (*interface{})(&seatrialResult)); "},
		{receiver: "Viper", function: "Sub", result: "seatrialResult", insert: "defer seatrialSub(v, key, &seatrialResult); "},
		{receiver: "Viper", function: "UnmarshalKey", insert: "defer seatrialDecodes(v, key, rawVal); ", optional: true},
		{receiver: "Viper", function: "AllSettings", result: "seatrialResult", insert: "defer func() { seatrialAll(v, seatrialResult) }(); "},
		{receiver: "Viper", function: "AllKeys", result: "seatrialResult", insert: "defer seatrialKeys(v, &seatrialResult); "},
		{receiver: "Viper", function: "find", insert: "if seatrialResult, seatrialIs := seatrialFind(v, lcaseKey); seatrialIs { return seatrialResult }; "},
		{receiver: "Viper", function: "getEnv", insert: "seatrialVariable(v, key); "},
		{receiver: "Viper", function: "Set", insert: "value = seatrialSet(v, key, value); "},
		{receiver: "Viper", function: "unmarshalReader", insert: "defer seatrialLoaded(v, c); "},
		{receiver: "Viper", function: "MergeConfigMap", insert: "defer seatrialLoaded(v, cfg); ", optional: true},
	}})
}
