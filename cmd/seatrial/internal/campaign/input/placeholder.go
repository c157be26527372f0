package input

import (
	"fmt"
	"maps"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/experiment"
)

// placeholders says in words what there are.
const placeholders = "$(NAMESPACE), $(KUBECONFIG) and $(PORT_name)"

// placeholder is one; $$( stands for a $( that is none, as in a container's command.
var placeholder = regexp.MustCompile(`\$?\$\((NAMESPACE|KUBECONFIG|PORT_[A-Za-z0-9_]+)\)`)

// anyPlaceholder is what looks like one.
var anyPlaceholder = regexp.MustCompile(`\$?\$\(([^()]*)\)`)

// Places are what placeholders of one process stand for.
type Places struct {
	// Namespace is the seed's in this run, Kubeconfig the path of its file.
	Namespace, Kubeconfig string
	// Port finds a free one for a name; nil for [FreePort].
	Port func(name string) (int, error)
}

// Fill is how the operator is started once: $(NAMESPACE), $(KUBECONFIG) and $(PORT_name) in its
// command and environment are replaced. A port is the same wherever its name stands. metrics is where
// the operator serves them, if that is at $(PORT_metrics), and empty otherwise.
func Fill(c experiment.Controller, p Places) (_ experiment.Controller, metrics string, _ error) {
	if p.Port == nil {
		p.Port = func(string) (int, error) { return FreePort() }
	}
	ports := map[string]string{}
	value := func(name string) (string, error) {
		switch name {
		case "NAMESPACE":
			return p.Namespace, nil
		case "KUBECONFIG":
			return p.Kubeconfig, nil
		}
		if ports[name] == "" {
			port, err := p.Port(strings.TrimPrefix(name, "PORT_"))
			if err != nil {
				return "", fmt.Errorf("a free port for $(%s): %w", name, err)
			}
			ports[name] = strconv.Itoa(port)
		}
		return ports[name], nil
	}
	var err error
	c.Command = slices.Clone(c.Command)
	for i := range c.Command {
		if c.Command[i], err = fill(c.Command[i], value); err != nil {
			return c, "", err
		}
	}
	env := maps.Clone(c.Env)
	for _, k := range slices.Sorted(maps.Keys(env)) {
		if env[k], err = fill(env[k], value); err != nil {
			return c, "", err
		}
	}
	c.Env = env
	if port := ports["PORT_metrics"]; port != "" {
		metrics = net.JoinHostPort("127.0.0.1", port)
	}
	return c, metrics, nil
}

func fill(text string, value func(name string) (string, error)) (string, error) {
	var failed error
	text = anyPlaceholder.ReplaceAllStringFunc(text, func(found string) string {
		if strings.HasPrefix(found, "$$") {
			return found[1:]
		}
		if placeholder.FindString(found) != found {
			return found
		}
		v, err := value(found[2 : len(found)-1])
		if err != nil {
			failed = err
		}
		return v
	})
	return text, failed
}

// Namespaced tells whether the operator is told its namespace, so that several of it can work
// beside each other on one plane.
func (i *Input) Namespaced() bool {
	found := false
	for _, text := range texts(&i.Controller) {
		_, _ = fill(text, func(name string) (string, error) {
			found = found || name == "NAMESPACE"
			return "", nil
		})
	}
	return found
}

// texts are where placeholders may be.
func texts(c *experiment.Controller) []string {
	all := slices.Clone(c.Command)
	for _, k := range slices.Sorted(maps.Keys(c.Env)) {
		all = append(all, c.Env[k])
	}
	return all
}

// checkPlaceholders names what looks like a placeholder and is none.
func checkPlaceholders(c *experiment.Controller) error {
	for _, text := range texts(c) {
		for _, found := range anyPlaceholder.FindAllString(text, -1) {
			if !strings.HasPrefix(found, "$$") && placeholder.FindString(found) != found {
				return fmt.Errorf("%s is no placeholder: there are %s; write $%s for the text itself", found, placeholders, found)
			}
		}
	}
	return nil
}

// FreePort is a port on the loopback that nothing listens on now.
func FreePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	return port, l.Close()
}
