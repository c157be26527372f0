package manifest

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	sigsyaml "sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/spelling"
	"github.com/seatrial/seatrial/finding"
)

// AsideMark begins the warning about a document of a folder that is no manifest
// and therefore not read.
const AsideMark = "set aside: "

// read takes one file. What is wrong in a file that was found in a folder, and
// not named, is an error only where the document is meant to be a manifest:
// folders hold templates, values and much else.
func (l *loader) read(f file) {
	lenient := f.found && !l.options.StrictInput
	if lenient && l.patches[f.name] != "" {
		l.aside(finding.Location{File: f.name, Line: 1}, "a patch of "+l.patches[f.name])
		return
	}
	docs, problems := parse(f.name, f.data)
	if !lenient {
		for _, p := range problems {
			p.Location.Origin = f.text.origin(p.Location.Line, nil)
			l.problems = append(l.problems, p)
		}
		for _, d := range docs {
			source := &Source{file: d.file, root: d.root, origin: f.text.origin(d.root.Line, d.raw)}
			if f.text != nil {
				source.fallback = f.text.Namespace
			}
			l.document(d.raw, source, 0)
		}
		return
	}
	t := &foundText{file: f, objects: slices.ContainsFunc(docs, func(d document) bool {
		h := headerOf(d.raw)
		return h.APIVersion != "" && h.Kind != ""
	})}
	t.cut()
	l.judge(t, problems, func(p Problem) (bool, string) { return t.unparsed(p) })
	for _, d := range docs {
		before, in, objects := len(l.problems), *l.in, l.objects
		l.added = nil
		l.document(d.raw, &Source{file: d.file, root: d.root}, 0)
		fresh := slices.Clone(l.problems[before:])
		l.problems = l.problems[:before]
		if l.judge(t, fresh, func(p Problem) (bool, string) { return t.refused(d, p) }) {
			// Nothing of it stays.
			*l.in, l.objects = in, objects
			for _, id := range l.added {
				delete(l.first, id)
			}
		}
	}
}

// judge keeps the problems of one file, or of one of its documents, as errors,
// unless one of them shows that it is no manifest; it says whether that is so.
func (l *loader) judge(t *foundText, problems Problems, about func(Problem) (bool, string)) bool {
	kept := Problems{}
	aside := false
	for _, p := range problems {
		no, why := about(p)
		if !no {
			kept = append(kept, p)
			continue
		}
		l.asideOnce(t, p.Location, p.Message+why)
		aside = true
	}
	if !aside {
		l.problems = append(l.problems, kept...)
	}
	return aside
}

// asideOnce notes one line per document.
func (l *loader) asideOnce(t *foundText, at finding.Location, why string) {
	chunk := t.chunkAt(at.Line)
	if !t.said[chunk] {
		t.said[chunk] = true
		l.aside(at, why)
	}
}

func (l *loader) aside(at finding.Location, why string) {
	at.Object, at.Field = "", ""
	l.setAside = append(l.setAside, Problem{Location: at, Message: why})
}

// foundText is a file of a folder as text.
type foundText struct {
	file file
	// objects: some document of the file is a Kubernetes object.
	objects bool
	chunks  []chunk
	said    map[int]bool
}

func (t *foundText) cut() {
	t.said = map[int]bool{}
	for _, c := range splitYAML(t.file.data) {
		if c.separator == "" {
			t.chunks = append(t.chunks, c)
		}
	}
}

// chunkAt is the document that a line of the file is in.
func (t *foundText) chunkAt(line int) int {
	after := sort.Search(len(t.chunks), func(i int) bool { return t.chunks[i].line > line })
	return max(0, after-1)
}

// unparsed tells whether a document that could not be parsed is no manifest.
func (t *foundText) unparsed(p Problem) (bool, string) {
	chunk := t.chunks[t.chunkAt(p.Location.Line)].text
	if mark := marker(chunk); mark != "" {
		if !utf8.Valid(chunk) {
			return true, ""
		}
		return true, " (a template: it has " + mark + ")"
	}
	return !t.objects && !meantAsManifest(chunk), ""
}

// refused tells whether a document that was parsed, but is wrong, is no manifest.
func (t *foundText) refused(d document, p Problem) (bool, string) {
	if mark := marker(t.line(p.Location.Line)); mark != "" {
		return true, " (a template: it has " + mark + ")"
	}
	if named := patchByName(t.file.name); named {
		return true, " (a patch, by its name)"
	}
	h := headerOf(d.raw)
	switch known := knownKinds()[h.Kind]; {
	case h.APIVersion == "" && h.Kind == "":
		return !t.objects, ""
	case h.Kind == "":
		return !knownVersion(h.APIVersion) || h.Metadata.Name == "", ""
	case h.APIVersion == "":
		return !known || h.Metadata.Name == "", ""
	case h.APIVersion == "v1" && h.Kind == "Config":
		return true, " (a kubeconfig)"
	default:
		group := groupOf(h.APIVersion)
		foreign := group != "" && !strings.Contains(group, ".") && !slices.Contains(knownGroups(), group) && group != "descheduler"
		return foreign && !known && spelling.Nearest(group, knownGroups()) == "", ""
	}
}

func (t *foundText) line(n int) []byte {
	c := t.chunks[t.chunkAt(n)]
	lines := bytes.SplitN(c.text, []byte("\n"), n-c.line+2)
	if i := n - c.line; i >= 0 && i < len(lines) {
		return lines[i]
	}
	return nil
}

// markers begin what a template engine replaces: Helm and Go, Jinja, ERB, shell
// and envsubst, ytt.
var markers = []string{"{{", "{%", "<%", "${", "#@"}

func marker(text []byte) string {
	for _, m := range markers {
		if bytes.Contains(text, []byte(m)) {
			return m
		}
	}
	return ""
}

var (
	versionLine = regexp.MustCompile(`(?m)^(?:\{?\s*"apiVersion"\s*:|apiVersion\s*:)\s*["']?([^"'\s,#]+)`)
	kindLine    = regexp.MustCompile(`(?m)^(?:.*"kind"\s*:|kind\s*:)\s*["']?([A-Za-z0-9]+)`)
)

// meantAsManifest tells whether text that cannot be parsed says, at the start of
// a line, that it is an object of a group that Kubernetes or a check has.
func meantAsManifest(text []byte) bool {
	version := versionLine.FindSubmatch(text)
	return version != nil && kindLine.Match(text) && knownVersion(string(version[1]))
}

func groupOf(apiVersion string) string {
	group, _, versioned := strings.Cut(apiVersion, "/")
	if !versioned {
		return ""
	}
	return group
}

// knownVersion tells whether a group and version is one of Kubernetes or of what
// else a check reads.
func knownVersion(apiVersion string) bool {
	group := groupOf(apiVersion)
	switch group {
	case "":
		return apiVersion == corev1.SchemeGroupVersion.Version
	case "seatrial.dev", "descheduler", "kubescheduler.config.k8s.io":
		return true
	}
	return slices.Contains(knownGroups(), group)
}

// knownKinds are the kinds of the Kubernetes API.
var knownKinds = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{"Scenario": true, "DeschedulerPolicy": true, "KubeSchedulerConfiguration": true}
	for gvk := range clientscheme.Scheme.AllKnownTypes() {
		if isObjectKind(gvk) {
			out[gvk.Kind] = true
		}
	}
	return out
})

// patchByName tells whether the name of a file says that it holds a patch.
func patchByName(name string) bool {
	base := strings.ToLower(filepath.Base(name))
	return strings.Contains(base, "patch") || strings.ToLower(filepath.Base(filepath.Dir(name))) == "patches"
}

// kustomization is what refers to patches.
type kustomization struct {
	Patches []struct {
		Path string `json:"path"`
	} `json:"patches"`
	PatchesJSON6902 []struct {
		Path string `json:"path"`
	} `json:"patchesJson6902"`
	PatchesStrategicMerge []string `json:"patchesStrategicMerge"`
}

// patchesOf finds the files that kustomizations among files patch others with, and
// by which one.
func patchesOf(files []file) map[string]string {
	out := map[string]string{}
	for _, f := range files {
		switch filepath.Base(f.name) {
		case "kustomization.yaml", "kustomization.yml":
		default:
			continue
		}
		var k kustomization
		if guard(func() error { return sigsyaml.Unmarshal(f.data, &k) }) != nil {
			continue // it is judged like any file
		}
		paths := slices.Clone(k.PatchesStrategicMerge)
		for _, p := range append(k.Patches, k.PatchesJSON6902...) {
			paths = append(paths, p.Path)
		}
		for _, p := range paths {
			if p != "" && !strings.Contains(p, "\n") {
				out[filepath.Join(filepath.Dir(f.name), p)] = f.name
			}
		}
	}
	return out
}

// wholly turns what was set aside into errors if nothing else was found, and into
// warnings otherwise.
func (l *loader) wholly() {
	if l.objects == 0 {
		l.problems = append(l.problems, l.setAside...)
		return
	}
	for _, p := range l.setAside {
		l.in.Warnings = append(l.in.Warnings, finding.Warning{Location: p.Location, Message: AsideMark + oneLine(p.Message)})
	}
}
