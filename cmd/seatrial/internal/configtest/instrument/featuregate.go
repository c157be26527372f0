package instrument

func init() {
	register(library{path: "k8s.io/component-base/featuregate", source: "featuregate", patches: []patch{
		{receiver: "featureGate", function: "Enabled", result: "seatrialResult", insert: "defer seatrialEnabled(f, key, &seatrialResult); "},
		{receiver: "featureGate", function: "SetFromMap", insert: "seatrialSet(f, m); "},
		{receiver: "featureGate", function: "SetFromMapWithLogger", insert: "seatrialSet(f, m); ", optional: true}, // by which the library for tests sets them since 0.36
	}})
}
