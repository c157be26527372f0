package option

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// read applies words like --name=value.
func read(words ...string) (Line, error) {
	var l Line
	for _, word := range words {
		name, value, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if err := l.Set(name, value); err != nil {
			return l, err
		}
	}
	return l, nil
}

func TestLine(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, content := range map[string]string{
		"node.yaml": "kind: Node\n", "rules.yaml": "r", "scheduler.yaml": "s", "policy.yaml": "p",
		"spec.json": `{"mode": "lean", "controllers": ["*"], "apiServer": {"v": "1"}}`,
		"bad.json":  `{"mood": "lean"}`, "two.json": `{} {}`,
	} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		words string
		want  string // the spec as JSON, or what the error says
	}{
		{"", `{}`},
		{"--mode=lean --openapi --steering=true --nodes=0", `{"mode":"lean","openapi":true,"steering":true,"count":0}`},
		{"--openapi --openapi=false", `{}`},
		{"--controllers=*,-job-controller --controllers=-kubelet", `{"controllers":["*","-job-controller","-kubelet"]}`},
		{"--feature-gates=A=true,B=false --feature-gates=A=false", `{"featureGates":{"A":false,"B":false}}`},
		{"--node=node.yaml --rules=rules.yaml --scheduler-config=scheduler.yaml", `{"scheduler":"s","nodes":["kind: Node\n"],"rules":"r"}`},
		{"--mode=full --api-server=--v=2 --spec=spec.json --controllers=-kubelet", `{"mode":"full","controllers":["*","-kubelet"],"apiServer":{"v":"2"}}`},
		{"--at-most=minReadySeconds=2 --at-most=tolerationSeconds=0", `{"atMost":{"minReadySeconds":2,"tolerationSeconds":0}}`},
		{"--at-most=minReadySeconds", "it is like FIELD=SECONDS"},
		{"--at-most=minReadySeconds=-1", "it is like FIELD=SECONDS"},
		{"--heartbeat=1s", `{"heartbeat":"1s"}`},
		{"--descheduler-policy=policy.yaml --descheduling-interval=1s", `{"descheduler":"p","descheduling":"1s"}`},
		{"--descheduling-interval=soon", "it is a duration like 1s"},
		{"--heartbeat=0s", "it is a duration like 1s"},
		{"--controller-manager=a=b=c", `{"controllerManager":{"a":"b=c"}}`},
		{"--spec=bad.json", `bad.json: spec: json: unknown field "mood"`},
		{"--spec=two.json", "two.json: spec: something follows it"},
		{"--spec=none.json", "--spec: open none.json: no such file or directory"},
		{"--node=none.yaml", "--node: open none.yaml: no such file or directory"},
		{"--mode=fat", "it is lean or full"},
		{"--nodes=-1", "it is a number from 0 to 5000"},
		{"--port=65536", "it is a number from 0 to 65535"},
		{"--controllers=a,,b", "a name in it is empty"},
		{"--feature-gates=A", `"A" is not like Name=true`},
		{"--api-server=v", "it is like FLAG=VALUE"},
		{"--rules=", "it is the path of a file"},
		{"--spec=", "it is the path of a file"},
		{"--directory=", "it is the path of a directory"},
		{"--tcp=maybe", "it is true or false"},
		{"--nonsense", "there is no flag --nonsense"},
	}
	for _, c := range cases {
		line, err := read(strings.Fields(c.words)...)
		got := ""
		if err == nil {
			s, specErr := line.Spec()
			text, _ := json.Marshal(s)
			err, got = specErr, string(text)
		}
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.words, got, c.want)
		}
	}
}

// TestArguments: what is passed on means the same.
func TestArguments(t *testing.T) {
	want := Process{Port: 8443, Directory: filepath.Join("a", "b c"), TCP: true}
	line, err := read(want.Arguments()...)
	if err != nil || line.Process != want {
		t.Errorf("%+v, %v, want %+v", line.Process, err, want)
	}
	if words := (Process{}).Arguments(); words != nil {
		t.Errorf("nothing is %q", words)
	}
}

// TestAll: each flag is there once, says what it is, and takes what help shows.
func TestAll(t *testing.T) {
	var names []string
	for _, o := range All() {
		if slices.Contains(names, o.Name) || o.Name == "" || o.Usage == "" || o.set == nil {
			t.Errorf("%+v", o)
		}
		names = append(names, o.Name)
		var l Line
		if err := l.Set(o.Name, ""); (err == nil) != (o.Argument == "") {
			t.Errorf("--%s without an argument: %v", o.Name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"mode": "lean", "nodes": [{}], "count": 3}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := Decode(content)
		if err != nil {
			return
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	})
}
