package instrument

// koanf's provider of variables asks os.Environ, or a function that a test has in its place.
func init() {
	register(library{path: "github.com/knadh/koanf/providers/env/v2", source: "environ", patches: []patch{
		{receiver: "Env", function: "Read", insert: "e = seatrialEnviron(e); "},
	}})
}
