package change

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seatrial/seatrial/finding"
)

// Read reads one version: a file, or REV:path, which is a file as git has it at a revision. Paths of
// files are below folder; those of git, as git takes them, from the root of its repository, or with ./ from folder.
func Read(ctx context.Context, folder, name string) ([]Setting, error) {
	text, err := Contents(ctx, folder, name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

// Contents is one version as it stands there.
func Contents(ctx context.Context, folder, name string) ([]byte, error) {
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(folder, name)
	}
	info, err := os.Stat(full)
	if revision, in, is := strings.Cut(name, ":"); os.IsNotExist(err) && is && revision != "" && in != "" {
		return show(ctx, folder, name)
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: there is no such file: name a file, or REV:path for one of git's", name)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: this is no file: name one", name)
	case info.Size() > mostBytes:
		return nil, fmt.Errorf("%s: has %d bytes, and %d are read at most: is it a configuration?", name, info.Size(), mostBytes)
	}
	return os.ReadFile(full)
}

// show is a file as git has it.
func show(ctx context.Context, folder, name string) ([]byte, error) {
	var complaint bytes.Buffer
	git := exec.CommandContext(ctx, "git", "cat-file", "blob", "--end-of-options", name)
	git.Dir, git.Stderr = folder, &complaint
	text, err := git.Output()
	if err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		if why == "" {
			why = err.Error()
		}
		return nil, fmt.Errorf("%s: git does not have it: %s", name, strings.TrimPrefix(why, "fatal: "))
	}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("%s: has %d bytes, and %d are read at most: is it a configuration?", name, len(text), mostBytes)
	}
	return text, nil
}

// Parse reads a text. The name says its format; a manifest is known by what it says.
func Parse(name string, text []byte) ([]Setting, error) {
	if at := firstBad(text); at >= 0 {
		return nil, wrong(name, 1+bytes.Count(text[:at], []byte("\n")), "this is not text in UTF-8")
	}
	format := name
	if Variables(name) && allVariables(text) {
		format += ".env"
	}
	documents, is, err := parse(format, name, 0, bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 && Extension(name) == ".json" { // no program takes that for a configuration
		return nil, wrong(name, 1, "there is no JSON in it: write {} if it says nothing")
	}
	r := &reader{file: name, format: format}
	switch {
	case is:
	case Textual(name):
		r.lines(text)
	default:
		return nil, fmt.Errorf("%s: a file of this name is not read: it ends in .yaml, .json, .toml, .ini, .properties, .env, or in %s, of which only the lines are known", name, strings.Join(texts[1:], ", "))
	}
	r.resolve(documents)
	for i, d := range documents {
		if err := r.document(d, i); err != nil {
			return nil, err
		}
	}
	return r.settings, nil
}

func firstBad(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 || r == 0 {
			return i
		}
		i += size
	}
	return -1
}

// parse reads documents in the format that the name of a file says, if it says one. Errors are of
// where the text is, which for one in an object is the file with that, and the line before its first one.
func parse(name, where string, offset int, text []byte) ([]*node, bool, error) {
	var one *node
	var err error
	switch Extension(name) {
	case ".yaml", ".yml":
		all, err := parseYAML(where, offset, text)
		return all, true, err
	case ".json":
		all, err := parseJSON(where, offset, text)
		return all, true, err
	case ".toml":
		one, err = parseTOML(where, offset, text)
	case ".ini":
		one, err = parseINI(where, offset, text)
	case ".properties":
		one, err = parseProperties(where, offset, text)
	case ".env":
		one, err = parseDotenv(where, offset, text)
	default:
		return nil, false, nil
	}
	return []*node{one}, true, err
}

// copies are endings of files that are copies of others, in the same format.
var copies = []string{".sample", ".example", ".dist", ".default", ".orig", ".bak"}

// Original is the name of what a file is a copy of: app.yaml of app.yaml.sample. Any other file is its own.
func Original(name string) string {
	for slices.Contains(copies, strings.ToLower(path.Ext(name))) {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// ofVariables matches names of files of variables that do not end in .env: env, environment, prod-env,
// app.env.production, env.list.
var ofVariables = regexp.MustCompile(`^(([^.]+[-_])?env(ironment)?|(.+\.)?env\.(local|list|file|prod|production|dev|development|test|staging|stage))$`)

// Variables tells whether a file is called as one of variables is that does not end in .env. Keys of objects may be
// called so, too, and are variables themselves.
func Variables(name string) bool {
	return ofVariables.MatchString(strings.ToLower(path.Base(filepath.ToSlash(Original(name)))))
}

// allVariables tells whether each line of a text that says something sets a variable.
func allVariables(text []byte) bool {
	n, err := parseDotenv("", 0, text)
	return err == nil && len(n.keys) > 0
}

// Extension is the ending of a name that says the format, in small letters: that of app.yaml.sample is .yaml, and that
// of .env.local is .env.
func Extension(name string) string {
	base := strings.ToLower(Original(path.Base(filepath.ToSlash(name))))
	base = base[strings.LastIndexByte(base, ':')+1:]
	if strings.HasPrefix(base, ".env") {
		return ".env"
	}
	return path.Ext(base)
}

// reader collects the settings of one version.
type reader struct {
	file     string
	format   string // the name by which its format is known, if it has one
	settings []Setting
	beside   *Objects // of the text, where variables may be those of others
	// taken are keys of objects that containers have as variables of other names: they say nothing by themselves.
	taken map[string]bool
}

func (r *reader) add(kind Kind, in, path string, v Value, line int) {
	v.Secret = v.Secret || v.Type != Reference && secret(path, v.text)
	r.settings = append(r.settings, Setting{Identity: Identity{kind, in, path}, Value: v, Location: finding.Location{File: r.file, Line: line}})
}

// tree adds all leaves of a file. Those of a flat format are what its keys say.
func (r *reader) tree(name, in string, n *node, hidden bool) {
	kind, flat := Key, false
	switch Extension(name) {
	case ".properties":
		flat = true
	case ".env":
		kind, flat = Env, true
	}
	if flat {
		for i, key := range n.keys {
			v := n.children[i].value()
			v.Secret = hidden
			r.add(kind, in, key, v, n.children[i].line)
		}
		return
	}
	all := n.leaves("")
	names := map[string]string{} // of what is a name with a value, by where that is
	for _, l := range all {
		if of, is := strings.CutSuffix(l.path, ".name"); is {
			names[of] = l.text
		}
	}
	for _, l := range all {
		if l.path == "" && (l.typ == Null || l.typ == Map) { // a file without anything in it
			continue
		}
		v := l.value()
		of, is := strings.CutSuffix(l.path, ".value")
		v.Secret = hidden || is && likely(names[of], v.text)
		r.add(kind, in, l.path, v, l.line)
		r.settings[len(r.settings)-1].Lines = l.lines
	}
}
