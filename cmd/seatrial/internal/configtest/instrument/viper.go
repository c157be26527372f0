package instrument

import "strconv"

func init() {
	typed := getters("Viper", "v, key", "GetBool", "GetDuration", "GetFloat64", "GetInt", "GetInt32", "GetInt64", "GetSizeInBytes", "GetUint", "GetUint8", "GetUint16", "GetUint32", "GetUint64")
	register(library{path: "github.com/spf13/viper", source: "viper", documents: true, patches: append(typed, []patch{
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
	}...)})
}

// getters are methods that make a value of some type of a key, and may make nothing of it: that is what is read then.
// They stand in seatrialGetters of the library's source, too, so that what they ask for is not recorded twice.
func getters(receiver, arguments string, functions ...string) (out []patch) {
	for _, f := range functions {
		out = append(out, patch{receiver: receiver, function: f, result: "seatrialResult", insert: "defer func() { seatrialTyped(" + arguments + ", " + strconv.Quote(f) + ", seatrialResult) }(); ", optional: true})
	}
	return out
}
