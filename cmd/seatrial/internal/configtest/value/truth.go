package value

// opposites are words for yes and no, each with the other.
var opposites = map[string]string{
	"true": "false", "false": "true", "True": "False", "False": "True", "TRUE": "FALSE", "FALSE": "TRUE",
	"yes": "no", "no": "yes", "on": "off", "off": "on", "enabled": "disabled", "disabled": "enabled",
}

func init() {
	register(0, func(text string) ([]string, bool) {
		other, is := opposites[text]
		return []string{other}, is
	})
}
