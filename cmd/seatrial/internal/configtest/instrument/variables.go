package instrument

// What decodes variables of the environment reads them itself, or from a map that a test has in their place: getenv is
// not asked then.
func init() {
	for _, version := range []string{"/v6", "/v7", "/v8", "/v9", "/v10", "/v11"} {
		register(library{path: "github.com/caarlos0/env" + version, source: "variables", patches: []patch{
			{function: "getOr", insert: "envs = seatrialVariables(key, envs); "},
		}})
	}
	register(library{path: "github.com/sethvargo/go-envconfig", source: "variables", patches: []patch{
		{receiver: "mapLookuper", function: "Lookup", insert: "m = seatrialVariables(key, m); "},
	}})
}
