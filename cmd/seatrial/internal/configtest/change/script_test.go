package change

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestScripts: what a shell is told to call is told what stands behind it in the script, with the variables of the
// container; what else the script says is one text, and what is not known is a reference. Where it is not certain what
// is called all stays as it is.
func TestScripts(t *testing.T) {
	for name, c := range map[string]struct{ says, want string }{
		"a program that takes the place of the shell": {`
        command: [/bin/sh, -c, 'exec /web serve --level=high --name "a b"']`, `
28 [0]=/web
28 [1]=serve
28 --level=high
28 --name=a b`},
		"on lines of their own, with more before": {`
        command: [sh, -ec]
        args:
        - |
          # first of all
          export SIZE=3
          cp a b && exec /web \
            --level=high \
            --size='4' > /dev/stdout 2>&1`, `
33 [0]=/web
34 --level=high
35 --size=4
30 sh -c=export SIZE=3 \n cp a b && > /dev/stdout 2 >& 1`},
		"the last of several": {`
        command: [bash, -o, pipefail, -c, "mkdir -p /x; X=1 web --level high"]`, `
28 [0]=web
28 --level=high
28 sh -c=mkdir -p /x ; X=1`},
		"variables": {`
        command: [sh, -c, 'exec web --a=$LEVEL --b="${LEVEL}" --c=${LEVEL:-low} --d=${NONE:-low} --e=$(LEVEL) --f=$(date) --g=$OTHER --h=$WORDS --i="$WORDS" --j=\$LEVEL']
        env: [{name: LEVEL, value: high}, {name: OTHER, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: WORDS, value: a b}]`, `
28 [0]=web
28 --a=high
28 --b=high
28 --c=high
28 --d=${NONE:-low} (reference)
28 --e=high
28 --f=$(date) (reference)
28 --g=$OTHER (reference)
28 --h=$WORDS (reference)
28 --i=a b
28 --j=$LEVEL`},
		"arguments behind it": {`
        command: [sh, -c, 'exec web --level=high "$@"', name]
        args: [--size=3, x]`, `
28 [0]=web
28 --level=high
29 --size=3
29 [1]=x`},
		"arguments behind it that nobody takes": {`
        command: [sh, -c, 'web --level=high']
        args: [--size=3]`, `
28 [0]=web
28 --level=high
28 sh -c=--size=3`},
		"a pipe": {`
        command: [sh, -c, 'web --level=high | tee log']`, `
28 sh -c=web --level=high | tee log`},
		"one that may not be called": {`
        command: [sh, -c, 'if x; then exec web --level=high; fi']`, `
28 sh -c=if x ; then exec web --level=high ; fi`},
		"no script": {`
        command: [sh, web.sh, --level=high]`, `
28 [0]=sh
28 [1]=web.sh
28 --level=high`},
	} {
		o := &Objects{}
		if err := o.Add("web.yaml", []byte(fmt.Sprintf(pods, c.says)), ""); err != nil {
			t.Fatal(err)
		}
		all := o.Containers()
		told, err := all[slices.IndexFunc(all, func(c Container) bool { return c.Name == "app" })].Told("")
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, s := range told.Settings {
			if s.Kind != Flag {
				continue
			}
			fmt.Fprintf(&got, "\n%d %s=%s", s.Location.Line, s.Path, strings.ReplaceAll(s.Value.String(), "\n", `\n`))
			if s.Value.Type == Reference {
				got.WriteString(" (reference)")
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: it is told %s\nwant %s", name, got.String(), c.want)
		}
	}
}
