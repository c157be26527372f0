package suggestion

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/seatrial/seatrial/finding"
)

// suggestion is an attempt as the report has it.
func (s *search) suggestion(i int, a *attempt) finding.Suggestion {
	patch, folder := s.patch(a.texts)
	out := finding.Suggestion{
		Remedy: a.candidate.Remedy, Title: a.candidate.Title, Cost: a.candidate.Cost,
		Patch: patch, Folder: folder, Bound: a.report.Bound.Text, Changes: s.changes(a.texts),
	}
	holds := map[string]bool{}
	for k, print := range finding.Fingerprints(a.report.Results) {
		holds[print] = a.report.Results[k].Verdict == finding.Holds
	}
	for k, p := range s.r.Results {
		if k != i && p.Verdict == finding.Violated && holds[s.prints[k]] {
			out.Mends = append(out.Mends, named(p))
		}
	}
	return out
}

// named is a result's property and subject.
func named(p finding.Result) string {
	return strings.TrimSpace(strings.TrimSpace(p.Rule+" "+p.Name) + " " + p.Subject)
}

// patch is new texts of files as a unified diff without git's header: only in such a
// one are paths relative to the folder in which git apply runs. folder is empty for the
// working directory, or else one that all the files are in.
func (s *search) patch(texts map[string][]byte) (patch, folder string) {
	files := sortedKeys(texts)
	names := map[string]string{}
	for _, file := range files {
		name, err := filepath.Rel(s.o.Folder, s.absolute(file))
		if err != nil || name == ".." || strings.HasPrefix(name, ".."+string(filepath.Separator)) {
			folder = s.common(files)
		}
		names[file] = name
	}
	var b strings.Builder
	for _, file := range files {
		name := names[file]
		if folder != "" {
			name, _ = filepath.Rel(folder, s.absolute(file)) // it is in there
		}
		before, _ := s.in.Text(file)
		lines := strings.SplitN(string(diff.Diff("a", before, "b", texts[file])), "\n", 4)
		slashed := filepath.ToSlash(name)
		fmt.Fprintf(&b, "--- %s\n+++ %s\n%s", quoted("a/"+slashed), quoted("b/"+slashed), lines[3])
	}
	return b.String(), folder
}

func (s *search) absolute(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Clean(file)
	}
	return filepath.Join(s.o.Folder, file)
}

// common is the deepest folder that has all the files.
func (s *search) common(files []string) string {
	folder := filepath.Dir(s.absolute(files[0]))
	for _, file := range files[1:] {
		for !strings.HasPrefix(s.absolute(file), strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator)) {
			folder = filepath.Dir(folder)
		}
	}
	return folder
}

// quoted is a file's name as a diff has it: git reads a name up to a tab, and one in
// quotes as in C.
func quoted(name string) string {
	strange := strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '"' || r == '\\' })
	switch {
	case strange:
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range []byte(name) {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteByte(c)
			case c < ' ' || c >= 0x7f:
				fmt.Fprintf(&b, "\\%03o", c)
			default:
				b.WriteByte(c)
			}
		}
		return b.String() + `"`
	case strings.Contains(name, " "):
		return name + "\t"
	}
	return name
}

// changes are new texts of files by the lines that differ.
func (s *search) changes(texts map[string][]byte) []finding.Change {
	var out []finding.Change
	for _, file := range sortedKeys(texts) {
		before, _ := s.in.Text(file)
		line := 0
		var one *finding.Change
		close := func() {
			if one != nil {
				out = append(out, *one)
			}
			one = nil
		}
		for _, text := range strings.Split(string(diff.Diff("a", before, "b", texts[file])), "\n")[3:] {
			text = strings.TrimSuffix(text, "\r")
			if text == "" {
				continue
			}
			if rest, hunk := strings.CutPrefix(text, "@@ -"); hunk {
				close()
				number, _, _ := strings.Cut(rest, ",")
				line, _ = strconv.Atoi(number) // diff writes numbers
				continue
			}
			if one == nil && (text[0] == '-' || text[0] == '+') {
				one = &finding.Change{File: file, Line: line}
			}
			switch text[0] {
			case '-':
				one.Old = append(one.Old, text[1:])
				line++
			case '+':
				one.New = append(one.New, text[1:])
			case ' ':
				close()
				line++
			}
		}
		close()
	}
	return out
}
