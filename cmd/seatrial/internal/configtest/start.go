package configtest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/change"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/judge"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/rule"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/configtest/run"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/crash"
	"github.com/seatrial/seatrial/finding"
)

// Start says how the program itself is started with both versions: its package and its arguments, of which {} stands
// for the file of the configuration, or the only one of a ConfigMap; {name} for that of several which has the name; and
// {args} for the arguments of the container.
type Start struct {
	Command []string
	// Within is how long it has to run to have started.
	Within time.Duration
}

// start is what became of the program with both versions; nil if it was not asked for.
type start struct {
	command       string
	before, after *run.Started
	// again is the same once more, where it starts with the old version only; else nil. What the first one leaves may
	// be in the way of the second one.
	again *start
}

// started starts the program with the old version, and with the new one.
func (s *session) started(ctx context.Context, changes []change.Change) (*start, error) {
	if len(s.Start.Command) == 0 {
		return nil, nil
	}
	s.say("starting the program with both versions")
	file, err := s.module.Main(ctx, run.Build{Folder: s.folder}, s.Start.Command[0])
	if err != nil {
		return nil, err
	}
	out, err := s.both(ctx, file, changes)
	if err != nil || !out.before.Stays || out.after.Stays {
		return out, err
	}
	if out.again, err = s.both(ctx, file, changes); err != nil {
		return nil, err
	}
	return out, nil
}

// both starts a program with one version after the other.
func (s *session) both(ctx context.Context, file string, changes []change.Change) (*start, error) {
	out := &start{command: strings.Join(s.Start.Command, " ")}
	for i, to := range []**run.Started{&out.before, &out.after} {
		args, values, err := s.told(s.versions[i], filepath.Join(s.folder, fmt.Sprintf("version-%d", i)))
		if err != nil {
			return nil, err
		}
		for _, c := range changes { // what one version has, and the other has not
			if _, is := values.Environment[c.Path]; c.Kind == change.Env && !is {
				values.Unset = append(values.Unset, c.Path)
			}
		}
		if *to, err = s.runner.Start(ctx, file, args, values, s.Start.Within); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// told are the arguments and the environment of the program with a version, whose files go into a folder.
func (s *session) told(v Version, folder string) ([]string, run.Values, error) {
	values := run.Values{Environment: map[string]string{}}
	for _, set := range v.Settings {
		if set.Kind == change.Env && set.Value.Type != change.Reference {
			values.Environment[set.Path] = set.Value.Reveal()
		}
	}
	mounted, err := v.mounted(folder)
	if err != nil {
		return nil, values, err
	}
	for name, value := range values.Environment {
		values.Environment[name] = mounted.Replace(value)
	}
	files, err := v.files(folder)
	if err != nil {
		return nil, values, err
	}
	replaced := strings.NewReplacer(files...)
	var args []string
	for _, a := range s.Start.Command[1:] {
		if a == "{args}" {
			for _, told := range arguments(v.Settings) {
				args = append(args, mounted.Replace(told))
			}
			continue
		}
		args = append(args, replaced.Replace(a))
	}
	return args, values, nil
}

// mounted writes the files of a container into a folder, and says where each path is there.
func (v Version) mounted(folder string) (*strings.Replacer, error) {
	var pairs []string
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(v.Mounted))) { // of two of which one begins with the other, the longer first
		file := filepath.Join(folder, "mounted", filepath.Clean("/"+at))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, v.Mounted[at], 0o600); err != nil {
			return nil, err
		}
		pairs = append(pairs, at, file)
	}
	return strings.NewReplacer(pairs...), nil
}

// files writes the files of a version into a folder, and gives what stands for each with its path.
func (v Version) files(folder string) (pairs []string, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if v.Mounted != nil {
		return nil, nil
	}
	all, _ := v.texts()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !filepath.IsLocal(name) {
			continue // no key of a ConfigMap is like that
		}
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(all[name]), 0o600); err != nil {
			return nil, err
		}
		pairs = append(pairs, "{"+name+"}", file)
		if len(all) == 1 {
			pairs = append(pairs, "{}", file)
		}
	}
	return pairs, nil
}

// texts are the files that a version has: itself, or those of a ConfigMap.
func (v Version) texts() (all map[string]string, object bool) {
	var of struct {
		Kind string
		Data map[string]string
	}
	if yaml.Unmarshal(v.Text, &of) == nil && of.Kind == "ConfigMap" && len(of.Data) > 0 {
		return of.Data, true
	}
	return map[string]string{v.base(): string(v.Text)}, false
}

// base is the name of the file, whoever has it: many a program knows the format by that.
func (v Version) base() string {
	if v.File == "" {
		return change.Original(filepath.Base(v.Name[strings.LastIndexByte(v.Name, ':')+1:]))
	}
	return change.Original(filepath.Base(v.File))
}

// arguments are those of a container, as far as they can be told from what was read of them.
func arguments(settings []change.Setting) []string {
	var out []string
	for _, s := range settings {
		if s.Kind != change.Flag {
			continue
		}
		if written := s.Value.Written(); written != nil {
			out = append(out, written...)
			continue
		}
		if !strings.HasPrefix(s.Path, "--") {
			out = append(out, s.Value.Reveal())
			continue
		}
		out = append(out, s.Path+"="+s.Value.Reveal())
	}
	return out
}

// result is what is said of the start.
func (s *start) result(changes []finding.Cause) finding.Result {
	of := rule.Named("starts")
	out := finding.Result{Rule: of.ID, Name: of.Name, Subject: s.command, Verdict: finding.Holds}
	switch {
	case !s.before.Stays:
		out.Verdict = finding.Inconclusive
		out.Reason = "it does not start here with the old version either: it " + s.before.Ended + ": " + lastLine(s.before.Output)
	case s.again != nil && !s.again.before.Stays:
		out.Verdict = finding.Inconclusive
		out.Reason = "it starts with the old version once, and the second time it " + s.again.before.Ended + ": " + lastLine(s.again.before.Output)
	case s.again != nil && s.again.after.Stays:
		out.Verdict = finding.Inconclusive
		out.Reason = "with the new version it starts, and does not: once it " + s.after.Ended + ": " + lastLine(s.after.Output)
	case !s.after.Stays:
		out.Verdict, out.Causes = finding.Violated, slices.Clone(changes)
		out.Message = "it starts with the old version, and with the new one it " + s.after.Ended + ": " + lastLine(s.after.Output)
	}
	return out
}

// lastLine is what a program says last, or the panic that ended it.
func lastLine(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	if all := crash.Find(lines); len(all) > 0 {
		return all[0].String()
	}
	return judge.Last(lines)
}
