// Package regression writes a trace of settle as an ordinary Go test: with a client of
// controller-runtime to a real API server, whose requests are let through one by one.
package regression

import (
	_ "embed" // driver.txt
	"errors"
	"fmt"
	"go/format"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/trace"
)

// driver is the part of a test that is the same in all.
//
//go:embed driver.txt
var driver string

// Options say what of the user's package a test calls.
type Options struct {
	// Package is its name.
	Package string
	// Test is the name of the test; that of what is violated is Title, in a line.
	Test, Title string
	// Config is an expression for the settle.Config, Reconciler one for the reconciler with the
	// client c.
	Config, Reconciler string
	// Imports are import paths that the expressions need.
	Imports []string
}

const imports = `
	"context"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
`

// Write is the test of a trace, formatted. What a real API server cannot be made to do is an
// error that says so.
func Write(t *trace.Trace, o Options) ([]byte, error) {
	lines, err := script(t)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "// This test was written by `seatrial settle export`, and is yours.\n\npackage %s\n\nimport (%s", o.Package, imports)
	for _, path := range o.Imports {
		fmt.Fprintf(&b, "\t%s\n", strconv.Quote(path))
	}
	fmt.Fprintf(&b, ")\n\n// newReconciler is what is tested.\nfunc newReconciler(c client.Client) reconcile.Reconciler { return %s }\n\n", o.Reconciler)
	fmt.Fprintf(&b, "// %s: %s. It needs the API server of KUBECONFIG, without objects of others.\nfunc %s(t *testing.T) {\n\tr := newRegression(t, %s)\n", o.Test, o.Title, o.Test, o.Config)
	for _, line := range lines {
		fmt.Fprintf(&b, "\t%s\n", line)
	}
	b.WriteString("\tr.rest()\n\tr.matches()\n}\n\n" + driver)
	out, err := format.Source([]byte(b.String()))
	if err != nil {
		return nil, fmt.Errorf("the test does not parse: is %s an expression, and %s? %w", o.Config, o.Reconciler, err)
	}
	return out, nil
}

// script is a line for each step of a trace.
func script(t *trace.Trace) (lines []string, err error) {
	s := &steps{}
	for i, step := range t.Steps {
		line, err := s.line(step)
		if err != nil {
			return nil, fmt.Errorf("step %d, %s: %s: %w", i+1, step.Actor, step.Action, err)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// steps are the steps of one trace.
type steps struct {
	// controller is the only one that there may be.
	controller string
}

func (s *steps) line(step trace.Step) (string, error) {
	words := strings.Fields(step.Action)
	switch {
	case len(words) == 0:
		return "", errors.New("it says nothing")
	case step.Actor == "user" && len(words) >= 3:
		return user(words)
	case step.Actor == "somebody" && len(words) == 3:
		return remove(words), nil
	case step.Actor == "network":
		if words[0] == "late:" {
			return "r.late()", nil
		}
		return "", nil
	case strings.HasPrefix(step.Action, "is killed"):
		return "r.kill()", nil
	case step.Action == "it is time to reconcile again":
		return "", nil
	}
	controller, name, is := strings.Cut(step.Actor, " ")
	switch {
	case !is:
		return "// " + step.Actor + ": " + step.Action, nil // the cluster does it
	case strings.Contains(step.Action, ": stale"):
		return "", errors.New("a cache that is behind cannot be had in an exported test; seatrial perturb has such caches")
	case s.controller == "":
		s.controller = controller
	case s.controller != controller:
		return "", fmt.Errorf("the trace is of several controllers, %s and %s: a test has one", s.controller, controller)
	}
	if step.Action == "reconcile" {
		return fmt.Sprintf("r.reconcile(%q)", name), nil
	}
	return request(name, step.Action, words)
}

// user is what users do.
func user(words []string) (string, error) {
	index := 0
	if n := len(words); strings.HasPrefix(words[n-1], "(") {
		i, err := strconv.Atoi(strings.Trim(words[n-1], "()"))
		if err != nil || i < 1 {
			return "", errors.New("it does not say which of Desired")
		}
		index = i - 1
	}
	switch words[0] {
	case "create":
		return fmt.Sprintf("r.did(r.Create(t.Context(), r.config.Desired[%d].DeepCopyObject().(client.Object)))", index), nil
	case "change":
		return fmt.Sprintf("r.change(r.config.Desired[%d])", index), nil
	case "delete":
		return remove(words), nil
	}
	return "", fmt.Errorf("users do not %s", words[0])
}

func remove(words []string) string {
	namespace, name, namespaced := strings.Cut(words[2], "/")
	if !namespaced {
		namespace, name = "", namespace
	}
	return fmt.Sprintf("r.remove(r.kind(%q), %q, %q)", words[1], namespace, name)
}

// request is a request of a reconcile, and what becomes of it.
func request(of, action string, words []string) (string, error) {
	if len(words) < 2 {
		return "", errors.New("it is no request")
	}
	ask := words[0] + " " + strings.TrimSuffix(words[1], ":")
	if len(words) > 2 {
		object := strings.TrimSuffix(words[2], ":")
		if i := strings.LastIndexByte(object, '/'); i >= 0 && (object[i:] == "/status" || object[i:] == "/scale") {
			ask += object[i:]
		}
	}
	answer := "done"
	switch {
	case strings.HasSuffix(action, ": takes effect and times out"):
		answer = "lost"
	case strings.HasSuffix(action, ": times out"):
		answer = "failed"
	}
	return fmt.Sprintf("r.next(%q, %q, %s)", of, ask, answer), nil
}
