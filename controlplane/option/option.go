// Package option is the command line of a control plane, once for the executable
// and for whoever starts it: what the flags are called, what they take, and what
// they make of a Spec. It knows no library of flags.
package option

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// Option is one flag.
type Option struct {
	Name string
	// Argument is what help shows for the argument; a flag without takes none.
	Argument string
	Usage    string
	// Repeated tells that each use adds something, and that the last one does not
	// replace the others.
	Repeated bool

	set func(*Line, string) error
}

// Line is a command line as it is read. Its zero value is an empty one.
type Line struct {
	// Process is what is said of the process and not of a plane.
	Process Process

	file string // of the spec
	// later are what flags say of the spec, which the file comes before.
	later []func(*admin.Spec) error
}

// Process is how the process of a plane runs.
type Process struct {
	// Port of the first plane's API server; 0 for any that is free.
	Port int
	// Directory is where the process makes a directory of its own; empty for
	// memory, or else the system's place for what is temporary.
	Directory string
	// TCP has the admin interface listen on loopback instead of a unix socket.
	TCP bool
}

// Arguments are the flags by which the executable is told the same.
func (p Process) Arguments() []string {
	var words []string
	if p.Port != 0 {
		words = append(words, fmt.Sprintf("--port=%d", p.Port))
	}
	if p.Directory != "" {
		words = append(words, "--directory="+p.Directory)
	}
	if p.TCP {
		words = append(words, "--tcp")
	}
	return words
}

// All are the flags, in the order in which help shows them.
func All() []Option { return slices.Clone(all) }

var all = []Option{
	{Name: "mode", Argument: "lean|full", Usage: "full has all APIs, RBAC, quota and webhooks; lean is for scheduling and scaling only (default full)", set: setMode},
	{Name: "nodes", Argument: "NUMBER", Usage: "how many usual nodes to begin with (default 3, unless --node names some)", set: setCount},
	{Name: "node", Argument: "FILE", Repeated: true, Usage: "Node objects to begin with, YAML or JSON", set: addNodes},
	{Name: "heartbeat", Argument: "DURATION", Usage: "how often kubelets renew their leases (default 10s)", set: setHeartbeat},
	{Name: "rules", Argument: "FILE", Usage: "rules of the kubelets (YAML), before the built-in ones", set: setRules},
	{Name: "controllers", Argument: "LIST", Repeated: true, Usage: "as kube-controller-manager's: * for the usual ones, foo to add, -foo to leave out; -* leaves out all, kube-scheduler and kubelet too, which have these names here", set: addControllers},
	{Name: "scheduler-config", Argument: "FILE", Usage: "a KubeSchedulerConfiguration (YAML)", set: setScheduler},
	{Name: "descheduler-policy", Argument: "FILE", Usage: "a DeschedulerPolicy (YAML), by which the descheduler runs (default none, and it does not)", set: setDescheduler},
	{Name: "descheduling-interval", Argument: "DURATION", Usage: "how long the descheduler waits between cycles (default 10s)", set: setDescheduling},
	{Name: "steering", Usage: "let the admin interface say which pods the scheduler may decide about", set: setSteering},
	{Name: "feature-gates", Argument: "LIST", Repeated: true, Usage: "of the whole process: Name=true,Other=false", set: addGates},
	{Name: "api-server", Argument: "FLAG=VALUE", Repeated: true, Usage: "a flag of kube-apiserver, without dashes", set: addServerFlag},
	{Name: "controller-manager", Argument: "FLAG=VALUE", Repeated: true, Usage: "a flag of kube-controller-manager, without dashes", set: addManagerFlag},
	{Name: "at-most", Argument: "FIELD=SECONDS", Repeated: true, Usage: "shorten what objects wait for by admission: tolerationSeconds, stabilizationWindowSeconds, periodSeconds of autoscalers, minReadySeconds", set: addAtMost},
	{Name: "openapi", Usage: "publish the schemas, for kubectl's validation; half as long again to start", set: setOpenAPI},
	{Name: "spec", Argument: "FILE", Usage: "the whole spec of the plane (JSON); the other flags come on top of it", set: setFile},
	{Name: "port", Argument: "NUMBER", Usage: "the port of the API server on 127.0.0.1 (default any that is free)", set: setPort},
	{Name: "directory", Argument: "PATH", Usage: "where to make the directory with all files (default /dev/shm if 512 MB are free there, or else where temporary files are)", set: setDirectory},
	{Name: "tcp", Usage: "the admin interface on 127.0.0.1 instead of a unix socket", set: setTCP},
}

// Set reads one flag; the value of one without argument is empty, true or false.
// An error does not name the flag, which libraries of flags do.
func (l *Line) Set(name, value string) error {
	i := slices.IndexFunc(all, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("there is no flag --%s", name)
	}
	return all[i].set(l, value)
}

// Spec is the plane's: the file's, if one was named, with what the other flags
// say. It reads the files that flags name.
func (l *Line) Spec() (admin.Spec, error) {
	var s admin.Spec
	if l.file != "" {
		content, err := os.ReadFile(l.file)
		if err != nil {
			return s, fmt.Errorf("--spec: %w", err)
		}
		if s, err = Decode(content); err != nil {
			return s, fmt.Errorf("%s: %w", l.file, err)
		}
	}
	for _, set := range l.later {
		if err := set(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Decode reads one Spec, which is JSON, strictly.
func Decode(content []byte) (admin.Spec, error) {
	var s admin.Spec
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return admin.Spec{}, fmt.Errorf("spec: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return admin.Spec{}, fmt.Errorf("spec: something follows it")
	}
	return s, nil
}

func (l *Line) then(set func(*admin.Spec)) error {
	l.later = append(l.later, func(s *admin.Spec) error { set(s); return nil })
	return nil
}

// content has set take what a file holds, when the spec is put together.
func (l *Line) content(flag, file string, set func(*admin.Spec, string) error) error {
	if file == "" {
		return fmt.Errorf("it is the path of a file")
	}
	l.later = append(l.later, func(s *admin.Spec) error {
		content, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
		return set(s, string(content))
	})
	return nil
}

func setMode(l *Line, value string) error {
	if value != "lean" && value != "full" {
		return fmt.Errorf("it is lean or full")
	}
	return l.then(func(s *admin.Spec) { s.Mode = value })
}

// countMax bounds the nodes that are asked for by their number.
const countMax = 5000

func setCount(l *Line, value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > countMax {
		return fmt.Errorf("it is a number from 0 to %d", countMax)
	}
	return l.then(func(s *admin.Spec) { s.Count = &n })
}

// addNodes leaves YAML to the process, which can read it.
func addNodes(l *Line, value string) error {
	return l.content("node", value, func(s *admin.Spec, text string) error {
		documents, err := json.Marshal(text)
		s.Nodes = append(s.Nodes, documents)
		return err
	})
}

func setHeartbeat(l *Line, value string) error {
	return l.duration(value, func(s *admin.Spec) { s.Heartbeat = value })
}

func setDescheduling(l *Line, value string) error {
	return l.duration(value, func(s *admin.Spec) { s.Descheduling = value })
}

func (l *Line) duration(value string, set func(*admin.Spec)) error {
	if d, err := time.ParseDuration(value); err != nil || d <= 0 {
		return fmt.Errorf("it is a duration like 1s")
	}
	return l.then(set)
}

func setRules(l *Line, value string) error {
	return l.content("rules", value, func(s *admin.Spec, text string) error { s.Rules = text; return nil })
}

func setScheduler(l *Line, value string) error {
	return l.content("scheduler-config", value, func(s *admin.Spec, text string) error { s.Scheduler = text; return nil })
}

func setDescheduler(l *Line, value string) error {
	return l.content("descheduler-policy", value, func(s *admin.Spec, text string) error { s.Descheduler = text; return nil })
}

func addControllers(l *Line, value string) error {
	names := strings.Split(value, ",")
	if slices.Contains(names, "") {
		return fmt.Errorf("a name in it is empty")
	}
	return l.then(func(s *admin.Spec) { s.Controllers = append(s.Controllers, names...) })
}

func addGates(l *Line, value string) error {
	gates := map[string]bool{}
	for _, entry := range strings.Split(value, ",") {
		name, state, _ := strings.Cut(entry, "=")
		on, err := strconv.ParseBool(state)
		if err != nil || name == "" {
			return fmt.Errorf("%q is not like Name=true", entry)
		}
		gates[name] = on
	}
	return l.then(func(s *admin.Spec) { put(&s.FeatureGates, gates) })
}

func addServerFlag(l *Line, value string) error {
	return l.flag(value, func(s *admin.Spec) *map[string]string { return &s.APIServer })
}

func addManagerFlag(l *Line, value string) error {
	return l.flag(value, func(s *admin.Spec) *map[string]string { return &s.ControllerManager })
}

func addAtMost(l *Line, value string) error {
	field, number, _ := strings.Cut(value, "=")
	seconds, err := strconv.ParseInt(number, 10, 32)
	if err != nil || seconds < 0 || field == "" {
		return fmt.Errorf("it is like FIELD=SECONDS")
	}
	return l.then(func(s *admin.Spec) { put(&s.AtMost, map[string]int64{field: seconds}) })
}

// flag reads a flag of a component.
func (l *Line) flag(value string, of func(*admin.Spec) *map[string]string) error {
	name, argument, ok := strings.Cut(value, "=")
	name = strings.TrimLeft(name, "-")
	if !ok || name == "" {
		return fmt.Errorf("it is like FLAG=VALUE")
	}
	return l.then(func(s *admin.Spec) { put(of(s), map[string]string{name: argument}) })
}

func put[V any](into *map[string]V, entries map[string]V) {
	if *into == nil {
		*into = map[string]V{}
	}
	for name, value := range entries {
		(*into)[name] = value
	}
}

// whether reads a flag that needs no argument.
func whether(value string) (bool, error) {
	if value == "" {
		return true, nil
	}
	on, err := strconv.ParseBool(value)
	if err != nil {
		return false, fmt.Errorf("it is true or false")
	}
	return on, nil
}

func setSteering(l *Line, value string) error {
	on, err := whether(value)
	if err != nil {
		return err
	}
	return l.then(func(s *admin.Spec) { s.Steering = on })
}

func setOpenAPI(l *Line, value string) error {
	on, err := whether(value)
	if err != nil {
		return err
	}
	return l.then(func(s *admin.Spec) { s.OpenAPI = on })
}

func setFile(l *Line, value string) error {
	if value == "" {
		return fmt.Errorf("it is the path of a file")
	}
	l.file = value
	return nil
}

func setPort(l *Line, value string) error {
	const portMax = 65535
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > portMax {
		return fmt.Errorf("it is a number from 0 to %d", portMax)
	}
	l.Process.Port = n
	return nil
}

func setDirectory(l *Line, value string) error {
	if value == "" {
		return fmt.Errorf("it is the path of a directory")
	}
	l.Process.Directory = value
	return nil
}

func setTCP(l *Line, value string) error {
	var err error
	l.Process.TCP, err = whether(value)
	return err
}
