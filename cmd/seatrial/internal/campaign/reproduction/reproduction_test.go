package reproduction

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/input"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/operation"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
	"github.com/seatrial/seatrial/history"
)

// nasty is a text of a user that would mean something in YAML, a shell, Go or a path.
const nasty = "*/ `rm -rf $HOME` $(x) '\"\n---\nkind: {a: b}\t../../x\x00é @NAME@"

func sample(text string) *Reproduction {
	seed := history.Object{"apiVersion": "example.com/v1", "kind": "Web", "metadata": map[string]any{"name": "web", "namespace": "default"}, "spec": map[string]any{"replicas": int64(1)}}
	in := &input.Input{
		Name: text, Seed: seed, Controller: experiment.Controller{Command: []string{"/bin/op", strings.ReplaceAll(text, "$(", "$$(")}, Env: map[string]string{"A": strings.ReplaceAll(text, "$(", "$$(")}},
		Setup: experiment.Manifests{Objects: []history.Object{{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": "web"}}}},
		Mask:  []string{"secrets:data"}, Oracles: []input.Oracle{{Name: "mine", CEL: "true"}},
	}
	r := New(in, "1.2.3", Found{Oracle: "twin", Rule: "SEA3001", Property: "spec." + text, Cause: "services web spec", Text: text, Expected: text})
	r.Operations = []*operation.Operation{
		{Name: text, Property: text, Case: "text", Changes: []operation.Change{{Path: []any{"spec", text}, Value: text}}, Objects: []history.Object{
			{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "tls"}, "stringData": map[string]any{text: text}},
		}},
		{Name: "spec.replicas: one more (1 → 2)", Property: "spec.replicas", Case: "more", Changes: []operation.Change{{Path: []any{"spec", "replicas"}, Value: int64(2)}}},
	}
	return r
}

// What an operation overtakes has a file of its own, which says so; what is referred to stands in that.
func TestWriteOvertaken(t *testing.T) {
	folder, r := t.TempDir(), sample("a")
	r.Operations = r.Operations[:1]
	r.Operations[0].Overtakes = []operation.Change{{Path: []any{"spec", "a"}, Value: "begun"}}
	if err := Write(folder, r); err != nil {
		t.Fatal(err)
	}
	first, second := string(read(t, folder, "01-a.yaml")), string(read(t, folder, "02-a.yaml"))
	if !strings.HasPrefix(first, "# apply the next file as soon as") || !strings.Contains(first, "kind: Secret") || !strings.Contains(first, "a: begun") {
		t.Errorf("what is overtaken is\n%s", first)
	}
	if strings.Contains(second, "kind: Secret") || !strings.Contains(second, "a: a\n") {
		t.Errorf("what overtakes it is\n%s", second)
	}
}

// A folder has the resources as they are applied, in order, the secret before the resource that
// refers to it, and what runs them; whatever a user has written stays a text in them.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	stale := filepath.Join(folder, "07-old.yaml")
	theirs := filepath.Join(folder, "notes.yaml")
	for _, f := range []string{stale, theirs} {
		if err := os.WriteFile(f, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(folder, sample(nasty)); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	first := "01-" + FileName(nasty) + ".yaml"
	want := []string{"00-seed.yaml", first, "02-spec.replicas.yaml", "finding.json", "notes.yaml", "reproduce.sh", "reproduce_test.go"}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("files are %q, want %q", names, want)
	}
	if strings.ContainsAny(first, "/ \n$'\"`*") {
		t.Errorf("a file is called %q", first)
	}
	documents := bytes.Split(read(t, folder, first), []byte("\n---\n"))
	if len(documents) != 2 {
		t.Fatalf("%s has %d documents, want a Secret and a Web:\n%s", first, len(documents), read(t, folder, first))
	}
	var web map[string]any
	if err := yaml.Unmarshal(documents[1], &web); err != nil {
		t.Fatal(err)
	}
	if got := web["spec"].(map[string]any)[nasty]; got != nasty {
		t.Errorf("the resource has %q, want %q", got, nasty)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "reproduce_test.go", read(t, folder, Test), parser.AllErrors); err != nil {
		t.Error(err)
	}
	r, err := Decode(read(t, folder, File))
	if err != nil {
		t.Fatal(err)
	}
	if resources, err := r.Resources(); err != nil || resources[2].At("spec", nasty) != nasty || resources[2].At("spec", "replicas") != int64(2) {
		t.Errorf("read again, the last resource is %v (%v)", resources, err)
	}
	if in, err := r.Input(File); err != nil || in.Controller.Command[1] == "" || in.Oracles[0].Expression() == nil {
		t.Errorf("read again, the input is %v (%v)", in, err)
	}
}

// TestCreation: where the custom resource was never another, it alone is a file, with what the operations refer to.
func TestCreation(t *testing.T) {
	r := sample("a")
	r.Behind = Creation
	files, err := r.files()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 4 || files[0].name != "00-seed.yaml" || !strings.Contains(files[0].text, "kind: Secret") || !strings.Contains(files[0].text, "replicas: 2\n") {
		t.Errorf("%d files, %s: %s", len(files), files[0].name, files[0].text)
	}
	text, err := r.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Decode(text); err != nil || again.Behind != Creation {
		t.Errorf("%+v, %v", again, err)
	}
}

// TestWriteFails: a folder that cannot be written to, as on a full disk, is one error on one line.
func TestWriteFails(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"finding.json", "reproduce.sh"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(folder, sample("a")); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
}

// The script hands the file, the operator and what stands behind it to seatrial, and ends as
// that does.
func TestScript(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "it's a $HOME")
	if err := Write(folder, sample("text")); err != nil {
		t.Fatal(err)
	}
	fake := filepath.Join(t.TempDir(), "seatrial")
	if err := os.WriteFile(fake, []byte("#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ env, arguments, want string }{
		{"OPERATOR=", "", "<campaign><--reproduce><FILE>"},
		{"OPERATOR=./op -a 'b c'", "-o", "<campaign><--reproduce><FILE><--operator><./op -a 'b c'><-o>"},
	} {
		command := exec.Command(filepath.Join(folder, Script), strings.Fields(test.arguments)...)
		command.Env = append(os.Environ(), "SEATRIAL="+fake, test.env)
		output, err := command.Output()
		if got := strings.ReplaceAll(string(output), filepath.Join(folder, File), "FILE"); got != test.want || command.ProcessState.ExitCode() != 3 {
			t.Errorf("%s: got %s (%v), want %s and exit status 3", test.env, got, err, test.want)
		}
	}
}

// What is not a reproduction, or of another version, is named.
func TestDecodeRefuses(t *testing.T) {
	const rest = `"found":{"oracle":"twin","cause":"x"},"seed":{"apiVersion":"a/v1","kind":"A","metadata":{"name":"a"}}`
	for _, test := range []struct{ text, want string }{
		{``, "this is no reproduction: unexpected end"},
		{`[]`, "this is no reproduction: "},
		{`{"schema":"x"}`, `its schema is "x", and this seatrial reads ` + Schema},
		{fmt.Sprintf(`{"schema":%q}`, Schema), "found.cause and found.oracle"},
		{fmt.Sprintf(`{"schema":%q,"found":{"oracle":"twin","cause":"x"}}`, Schema), "the seed needs apiVersion"},
		{fmt.Sprintf(`{"schema":%q,"more":1,%s}`, Schema, rest), `unknown field "more"`},
		{fmt.Sprintf(`{"schema":%q,"behind":"x",%s}`, Schema, rest), `behind is "x"`},
		{fmt.Sprintf(`{"schema":%q,"operations":[null],%s}`, Schema, rest), "operation 1 is null"},
		{fmt.Sprintf(`{"schema":%q,"setup":[null],%s}`, Schema, rest), "object 1 of setup is null"},
		{fmt.Sprintf(`{"schema":%q,"operations":[{"name":"o","changes":[{"path":["kind",1]}]}],%s}`, Schema, rest), "operation 1, o: "},
		{fmt.Sprintf(`{"schema":%q,"operations":[{"name":"o","changes":[{}]}],%s}`, Schema, rest), "a change has no path"},
		{fmt.Sprintf(`{"schema":%q,%s} {}`, Schema, rest), "after top-level value"},
	} {
		if _, err := Decode([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("Decode(%s): %v, want %s", test.text, err, test.want)
		}
	}
}

// Whatever a file holds, it is read or refused; what was read is written and read as the same.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{"text", nasty, ""} {
		encoded, err := sample(text).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(encoded)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Decode(text)
		if err != nil {
			return
		}
		_, _ = r.Input(File)
		if _, err := r.files(); err != nil {
			t.Fatal(err)
		}
		once, err := r.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(once)
		if err != nil {
			t.Fatalf("%v of\n%s", err, once)
		}
		if twice, err := again.Encode(); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%v\n%s\nis not\n%s", err, twice, once)
		}
	})
}

func read(t *testing.T, folder, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
