package change

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lines are changes as the tests have them: line, kind, place, path, values.
func lines(changes []Change) string {
	var out []string
	for _, c := range changes {
		out = append(out, fmt.Sprintf("%d %s %s: %s -> %s", c.Location.Line, c.Kind, strings.TrimSpace(c.In+" "+c.Path), shown(c.Old), shown(c.New)))
	}
	return strings.Join(out, "\n")
}

func shown(v *Value) string {
	if v == nil {
		return "-"
	}
	return v.String()
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      containers:
      - name: app
        args: [serve, %s]
        env:
        - name: LEVEL
          value: "%s"
        - name: DB
          valueFrom: {secretKeyRef: {name: %s, key: url}}
        envFrom:
        - configMapRef: {name: %s}
`

const containing = `apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  containers:
  - name: app
    command:
    - /app
    args: [%s]
    env: [{name: PORT, value: "%s"}, {name: HOST, value: "at:$(PORT)"}, {name: DB, valueFrom: {secretKeyRef: {name: x, key: url}}}]
    envFrom: [{configMapRef: {name: x}}]
`

// TestBetween: two versions of a file, and what differs.
func TestBetween(t *testing.T) {
	for name, c := range map[string]struct{ file, before, after, want string }{
		"nothing":                      {"a.yaml", "a: 1\nb: [1, 2]\n", "b: [1, 2]\na: 1 # as before\n", ""},
		"a value":                      {"a.yaml", "s:\n  port: 1\n", "# new\ns:\n  port: 2\n", "3 key s.port: 1 -> 2"},
		"a type":                       {"a.yaml", "a: 1\n", "a: \"1\"\n", "1 key a: 1 -> 1"},
		"quotes":                       {"a.yaml", "a: \"off\"\nb: \"2024-01-01\"\nc: \"x\"\n", "a: off\nb: 2024-01-01\nc: x\n", "1 key a: off -> off\n2 key b: 2024-01-01 -> 2024-01-01"},
		"quotes in a list":             {"a.yaml", "a:\n- \"x\"\n- \"off\"\nb: [\"x\"]\nc: [16, no]\n", "a:\n- x\n- off\nb: [x]\nc: [0x10, no]\n", "3 key a: [\"x\", \"off\"] -> [\"x\", \"off\"]"},
		"added, and gone":              {"a.yaml", "x: 1\na:\n  b: 1\n", "x: 1\nc:\n- 1\n- x\n", "2 key c: - -> [1, \"x\"]\n3 key a.b: 1 -> -"},
		"only spelt so":                {"a.yaml", "a: true\nb: 0.5\nc: [16, 1]\nd: 1.1\ne: yes\n", "a: True\nb: .5\nc: [0x10, +1]\nd: 1.10\ne: Yes\n", "4 key d: 1.1 -> 1.10\n5 key e: yes -> Yes"},
		"an item":                      {"a.yaml", "a:\n- x\n- y\n- z\n", "a:\n- x\n- w\n- z\n", "3 key a: [\"x\", \"y\", \"z\"] -> [\"x\", \"w\", \"z\"]"},
		"an item more":                 {"a.yaml", "a: [1]\n", "a:\n- 1\n- 2\n", "3 key a: [1] -> [1, 2]"},
		"an item less":                 {"a.yaml", "x: 1\na:\n- x\n- y\n", "x: 1\na:\n- x\n", "2 key a: [\"x\", \"y\"] -> [\"x\"]"},
		"a quoted list":                {"a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: \"a:\\n- 1\\n- 2\"\n", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.yaml: \"a:\\n- 1\\n- 3\"\n", "4 key ConfigMap  a.yaml a: [1, 2] -> [1, 3]"},
		"one of a flag's":              {"a.yaml", "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    args:\n    - --x=1\n    - --x=2\n    - --x=3\n", "kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec:\n  containers:\n  - name: a\n    args:\n    - --x=1\n    - --x=4\n    - --x=3\n", "9 flag Pod a a --x: 1 2 3 -> 1 4 3"},
		"null, and empty":              {"a.yaml", "a: {}\nb:\n", "a: []\nb: 1\n", "1 key a: {} -> []\n2 key b: null -> 1"},
		"a list of maps":               {"a.yaml", "a:\n- b: 1\n- b: 2\n", "a:\n- b: 1\n- b: 3\n", "3 key a[1].b: 2 -> 3"},
		"an alias":                     {"a.yaml", "a: &a\n  b: 1\nc: *a\n", "a: &a\n  b: 2\nc: *a\n", "2 key a.b: 1 -> 2\n2 key c.b: 1 -> 2"},
		"a merge":                      {"a.yaml", "a: &a\n  b: 1\nc:\n  <<: *a\n", "a: &a\n  b: 1\nc:\n  <<: *a\n  b: 2\n", "5 key c.b: 1 -> 2"},
		"lines in quotes":              {"a.ini", "k = \"\"\"first\n second \\\nb = 1\"\"\"\nt = `x\n#y`\nl = 1\ne = \"\"\no = \"\"\"1\"\"\" ; c\n", "k = \"\"\"First\n second \\\nb = 1\"\"\"\nt = `x\n#z`\nl = 2\ne = \"\"\no = \"\"\"2\"\"\" ; c\n", "1 key k: first\n second \\\nb = 1 -> First\n second \\\nb = 1\n4 key t: x\n#y -> x\n#z\n6 key l: 1 -> 2\n8 key o: 1 -> 2"},
		"a key and a section":          {"a.ini", "log = a\n[log]\nlevel = info\n[x]\ny = 1\n[log]\nto = b\n", "log = b\n[log]\nlevel = debug\n[x]\ny = 1\n[log]\nto = c\n", "1 key log: a -> b\n3 key log.level: info -> debug\n7 key log.to: b -> c"},
		"an ini file":                  {"a.ini", "a = 1 ; one\n[s]\nport: 1\non\nl = x, \\\n  y\n", "# new\n[s]\nport = \"2\"\nport = 3\nl = x, y\n", "4 key s.port: 1 -> 3\n1 key a: 1 -> -\n4 key s.on: true -> -"},
		"a key with a dot":             {"a.yaml", "a.b: 1\n", "a.b: 2\n", "1 key [\"a.b\"]: 1 -> 2"},
		"several documents":            {"a.yaml", "a: 1\n---\na: 1\n", "a: 1\n---\na: 2\n", "3 key document 2 a: 1 -> 2"},
		"JSON":                         {"a.json", `{"a":{"b":1.0}}`, "{\n\t\"a\": {\n\t\t\"b\": 1.5, \"c\": [true, null]}\n}", "3 key a.b: 1.0 -> 1.5\n3 key a.c: - -> [true, null]"},
		"TOML":                         {"a.toml", "[a]\nb = 1_000\n[[l]]\nx.y = 1\n[[l]]\nx.y = 1\n", "\n[a]\nb = 1000\nc = {d = \"e\"}\n[[l]]\nx.y = 1\n[[l]]\nx.y = 2\n[l.z]\nf = 1.5\n", "4 key a.c.d: - -> e\n8 key l[1].x.y: 1 -> 2\n10 key l[1].z.f: - -> 1.5"},
		"properties":                   {"a.properties", "a.b = 1\nc:2\n", "! note\na.b=1\nc : 2\\\n   3\nd\\ e=\\u00e9\n", "3 key c: 2 -> 23\n5 key d e: - -> é"},
		"dotenv, several lines":        {".env", "A=\"x\n y\n\" # note\nNAME\nexport OTHER\nB=1\n", "A=\"x\n z\n\" # note\nNAME\nB=2\n", "1 env A: x\n y\n -> x\n z\n\n5 env B: 1 -> 2"},
		"dotenv":                       {".env", "A=1\nB=2\n", "# note\nexport A='1'\nB=\"x\\ny\" # note\nC=3 # note\n", "3 env B: 2 -> x\ny\n4 env C: - -> 3"},
		"variables, by the name":       {"deploy/env", "A=1\n", "A=2\n", "1 env A: 1 -> 2"},
		"variables, of a stage":        {"app.env.production", "A=1\n", "A=2\n", "1 env A: 1 -> 2"},
		"a key that is called env":     {"a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {APP_ENV: staging, ENVIRONMENT: eu}\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {APP_ENV: production, ENVIRONMENT: us}\n", "4 key ConfigMap a APP_ENV: staging -> production\n4 key ConfigMap a ENVIRONMENT: eu -> us"},
		"a file env of something else": {"env", "use it\nlevel info\n", "use it\nlevel debug\n", "2 line level: info -> debug"},
		"an env that says its format":  {"env.yaml", "A: 1\n", "A: 2\n", "1 key A: 1 -> 2"},
		"secrets by name":              {"a.yaml", "dbPassword: a\ntokenLifetime: 1s\n", "dbPassword: b\ntokenLifetime: 2s\n", "1 key dbPassword: (secret) -> (secret)\n2 key tokenLifetime: 1s -> 2s"},
		"secrets in a URL":             {"a.yaml", "a: postgres://u:p@h/d\n", "a: postgres://h/d\n", "1 key a: (secret) -> (secret)"},
		"a private key":                {"a.json", `{"tls": "-----BEGIN PRIVATE KEY-----\nx"}`, `{"tls": ""}`, "1 key tls: (secret) -> (secret)"},
		"a container":                  {"a.yaml", fmt.Sprintf(deployment, "-v=2, --n, '1', --on", "info", "one", "a"), fmt.Sprintf(deployment, "--v=3, --n, '2', other", "debug", "two", "b"), "9 flag Deployment shop/web app --n: 1 -> 2\n9 flag Deployment shop/web app --v: 2 -> 3\n9 flag Deployment shop/web app [1]: - -> other\n12 env Deployment shop/web app LEVEL: info -> debug\n14 env Deployment shop/web app DB: secretKeyRef.name=one secretKeyRef.key=url -> secretKeyRef.name=two secretKeyRef.key=url\n16 envFrom Deployment shop/web app configMapRef b: - -> configMapRef.name=b\n9 flag Deployment shop/web app --on: true -> -\n16 envFrom Deployment shop/web app configMapRef a: configMapRef.name=a -> -"},
		"a variable in an argument":    {"a.yaml", fmt.Sprintf(containing, "--port=8080, --host=$(HOST), --db=$(DB), --from=$(FROM), --cost=$$(PORT)", "8080"), fmt.Sprintf(containing, "--port=$(PORT), --host=$(HOST), --db=$(DB), --from=$(FROM), --cost=$$(PORT)", "8080"), ""},
		"a variable, and what says it": {"a.yaml", fmt.Sprintf(containing, "--port=$(PORT), --db=x", "8080"), fmt.Sprintf(containing, "--port=$(PORT), --db=$(DB), --from=$(FROM), --cost=$$(PORT)", "99999"), "9 flag Pod a app --cost: - -> $(PORT)\n9 flag Pod a app --db: x -> $(DB)\n9 flag Pod a app --from: - -> $(FROM)\n9 flag Pod a app --port: 8080 -> 99999\n10 env Pod a app HOST: at:8080 -> at:99999\n10 env Pod a app PORT: 8080 -> 99999"},
		"a flag, repeated":             {"a.yaml", fmt.Sprintf(deployment, "--x=1, --x=2", "", "", ""), fmt.Sprintf(deployment, "--x=1, --x=3", "", "", ""), "9 flag Deployment shop/web app --x: 1 2 -> 1 3"},
		"a ConfigMap":                  {"a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  level: info\n  a.yaml: |\n    x: 1\n    y: 2\n", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  level: debug\n  a.yaml: |\n    x: 1\n    y: 3\n", "5 key ConfigMap a level: info -> debug\n8 key ConfigMap a a.yaml y: 2 -> 3"},
		"a sample":                     {"b/.env.example", "A=1\n", "A=2\n", "1 env A: 1 -> 2"},
		"samples":                      {"b:app.YAML.sample.bak", "a: 1\n", "a: 2\n", "1 key a: 1 -> 2"},
		"a quoted file":                {"a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.toml: \"x = 1\\ny = 2\"\n", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.toml: \"x = 1\\ny = 3\"\n", "4 key ConfigMap  a.toml y: 2 -> 3"},
		"a Secret":                     {"a.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {x: YQ==}\nstringData:\n  a.env: X=1\n", "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {x: Yg==}\nstringData:\n  a.env: X=2\n", "4 key Secret a x: (secret) -> (secret)\n6 env Secret a a.env X: (secret) -> (secret)"},
		"objects of a List":            {"a.json", `{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"1"}}]}`, `{"apiVersion":"v1","kind":"List","items":[]}`, "1 key ConfigMap a x: 1 -> -"},
		"a versioned struct":           {"a.yaml", "apiVersion: x/v1\nkind: Config\nqps: 1\n", "apiVersion: x/v1\nkind: Config\nqps: 2\n", "3 key qps: 1 -> 2"},
		"another object":               {"a.yaml", "apiVersion: x/v1\nkind: Web\nmetadata: {name: a}\nsize: 1\n", "apiVersion: x/v1\nkind: Web\nmetadata: {name: a}\nsize: 2\n", "4 key Web a size: 1 -> 2"},
	} {
		t.Run(name, func(t *testing.T) {
			before, err := Parse(c.file, []byte(c.before))
			if err != nil {
				t.Fatal(err)
			}
			after, err := Parse(c.file, []byte(c.after))
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(Between(before, after)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestWrong: what cannot be read is said with its line.
func TestWrong(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"a.yaml", "a: 1\nb: [\n", "a.yaml:"},
		{"a.yaml", "a: 1\nb: 2\na: 3\n", `a.yaml:3: the key "a" is here for the second time: remove one`},
		{"a.yaml", "a: &a\n  b: *a\n", "a.yaml:2: "},
		{"a.yaml", "a: 1\n\xff", "a.yaml:2: this is not text in UTF-8"},
		{"a.json", "{\"a\": 1,\n\"b\": }", "a.json:2: invalid character '}' looking for beginning of value"},
		{"a.json", "{\n\"a\": 1", "a.json:2: it ends within a value"},
		{"a.json", " \n", "a.json:1: there is no JSON in it: write {}"},
		{"a.json", "{\"a\": 1,\n\"a\": 2}", `a.json:2: the key "a" is here for the second time: remove one`},
		{"a.toml", "a = 1\nb = \n", "a.toml:2: "},
		{"a.toml", "a = 1\na = 2\n", "a.toml:2: "},
		{"a.properties", "a=1\nb=\\u12\n", `a.properties:2: \u has four hexadecimal digits behind it`},
		{".env", "A=1\nB 2\n", ".env:2: this is not NAME=value"},
		{".env", "A=\"1\n", ".env:1: the quote is not closed"},
		{".env", "B=1\nA=\"1\n2\n", ".env:2: the quote is not closed"},
		{".env", "A='1\n2'3\n", ".env:1: there is something behind the quote"},
		{".env", "A='1'2\n", ".env:1: there is something behind the quote"},
		{"a.ini", "a=1\nb=\"\"\"x\nc=\"y\"\n", "a.ini:2: the quotes of a value are not closed"},
		{"a.ini", "[a\nb=1", "a.ini:1: the bracket of a section is not closed"},
		{"a.doc", "a=1", "a.doc: a file of this name is not read"},
		{"a.yaml", "apiVersion: v1\nkind: Secret\ndata:\n  a: '?'\n", "a.yaml:4: a of a Secret  is not base64"},
		{"a.yaml", "apiVersion: v1\nkind: ConfigMap\ndata:\n  a.json: |\n    {\n    \"a\": x}\n", "a.yaml:6: "},
		{"a.yaml", "apiVersion: v1\nkind: Secret\nstringData:\n  a.json: |\n    {\n    hunter2\n", "a.yaml:4: a.json of a Secret  cannot be read as what its name says"},
		{"a.json", strings.Repeat("[", 500) + strings.Repeat("]", 500), "a.json:1: is nested more than"},
		{"a.yaml", bomb(), "a.yaml:"},
	} {
		_, err := Parse(c.file, []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.60q: the error is %v, want %s", c.text, err, c.want)
		}
	}
}

// bomb is a small text that stands for many values.
func bomb() string {
	text := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		text += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Join(slices.Repeat([]string{fmt.Sprintf("*a%d", i)}, 10), ", "))
	}
	return text
}

// TestSecretsStay: no way to print a change shows a secret, and the program under test gets it.
func TestSecretsStay(t *testing.T) {
	before, _ := Parse("a.yaml", []byte("password: hunter1\n"))
	after, err := Parse("a.yaml", []byte("password: hunter2\n"))
	if err != nil {
		t.Fatal(err)
	}
	changes := Between(before, after)
	if len(changes) != 1 || changes[0].New.Reveal() != "hunter2" {
		t.Fatalf("there are %d changes", len(changes))
	}
	report, err := json.Marshal(changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(report), fmt.Sprint(*changes[0].New), fmt.Sprintf("%v %+v %#v %s", *changes[0].New, *changes[0].New, *changes[0].New, changes[0].New)} {
		if strings.Contains(text, "hunter") || !strings.Contains(text, masked) {
			t.Errorf("it says %s", text)
		}
	}
}

// TestRead: a file, and the same as git has it.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(folder, "values.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a: 1\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "a"}} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = folder
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	write("b: 1\na: 2\n")
	before, err := Read(t.Context(), folder, "HEAD:values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	after, err := Read(t.Context(), folder, "values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := lines(Between(before, after)), "1 key b: - -> 1\n2 key a: 1 -> 2"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for name, want := range map[string]string{
		"none.yaml":        "none.yaml: there is no such file: name a file, or REV:path for one of git's",
		"HEAD:none.yaml":   "HEAD:none.yaml: git does not have it: ",
		"--all:values.yml": "--all:values.yml: git does not have it: ",
		".":                ".: this is no file: name one",
	} {
		if _, err := Read(t.Context(), folder, name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %s", name, err, want)
		}
	}
}
