// Package input is what commands that read manifests take beside paths: what
// kustomize and helm render, and a cluster.
package input

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/config"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/failure"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cli/shell"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/kubeconfig"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/live"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/manifest"
	"github.com/seatrial/seatrial/cmd/seatrial/internal/render"
	"github.com/seatrial/seatrial/trace"
)

// Sources are the flags; the zero value has none.
type Sources struct {
	kustomize, helm, values, set []string
	release, namespace           string
	cluster                      live.Options
	// met is the cluster that was read, once it was.
	met   *live.Cluster
	flags *pflag.FlagSet
}

// Add gives a command the flags.
func (s *Sources) Add(cmd *cobra.Command) {
	s.flags = cmd.Flags()
	s.flags.StringArrayVarP(&s.kustomize, "kustomize", "k", nil, "render this folder with the kustomize (or kubectl) in PATH; repeatable `DIR`")
	s.flags.StringArrayVar(&s.helm, "helm", nil, "render this `CHART` with the helm in PATH")
	s.flags.StringArrayVar(&s.values, "values", nil, "with --helm: a `FILE` of values; repeatable")
	s.flags.StringArrayVar(&s.set, "set", nil, "with --helm: one value, as `NAME=VALUE`; repeatable")
	s.flags.StringVar(&s.release, "release", "", "with --helm: the `NAME` of the release")
	s.flags.StringVarP(&s.namespace, "namespace", "n", "", "the namespace `NAME` of what -k and --helm render (default if there is none), and of the workloads of a cluster (that of the context if there is none)")
	s.flags.StringVar(&s.cluster.Context, "context", "", "read the cluster of this `CONTEXT` of the kubeconfig; nothing in it is changed")
	s.flags.StringVar(&s.cluster.Kubeconfig, "kubeconfig", "", "read a cluster, from this `FILE` instead of KUBECONFIG or ~/.kube/config; the current context without --context")
	s.flags.BoolVarP(&s.cluster.All, "all-namespaces", "A", false, "read a cluster, the workloads of all namespaces; the current context without --context")
	// A kubeconfig may name programs to run, and a context is somebody's cluster: the
	// file of a repository is not to say either.
	config.LineOnly(s.flags, "context", "kubeconfig", "all-namespaces")
	// They fail for a flag that is not there, or twice: none is.
	_ = cmd.MarkFlagDirname("kustomize")
	_ = cmd.RegisterFlagCompletionFunc("context", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return kubeconfig.Contexts(s.cluster.Kubeconfig), cobra.ShellCompDirectiveNoFileComp
	})
}

// Any tells whether there is anything to read but paths.
func (s *Sources) Any() bool { return len(s.kustomize)+len(s.helm) > 0 || s.live() }

// live tells whether a cluster is read.
func (s *Sources) live() bool {
	if s.flags == nil {
		return false
	}
	return s.flags.Changed("context") || s.flags.Changed("kubeconfig") || s.cluster.All
}

// Complete says what is wrong with the flags.
func (s *Sources) Complete() error {
	if slices.Contains(s.kustomize, "") || slices.Contains(s.helm, "") {
		return errors.New("-k and --helm need a name; . is the current folder")
	}
	for i, directory := range s.kustomize {
		if slices.Contains(s.kustomize[:i], directory) {
			return fmt.Errorf("-k %s was given twice", directory)
		}
	}
	if len(s.helm) > 1 {
		return errors.New("--helm was given twice: values could be of either; render one with helm template into a file")
	}
	for _, name := range []string{"values", "set", "release"} {
		if len(s.helm) == 0 && s.flags.Changed(name) {
			return fmt.Errorf("--%s needs --helm CHART", name)
		}
	}
	if s.cluster.All && s.flags.Changed("namespace") {
		return errors.New("-n and -A exclude each other")
	}
	if s.flags.Changed("namespace") {
		switch bad := validation.IsDNS1123Label(s.namespace); {
		case !s.Any():
			return errors.New("--namespace needs -k DIR, --helm CHART or --context CONTEXT")
		case len(bad) > 0:
			return fmt.Errorf("--namespace %q: %s", s.namespace, bad[0])
		}
	}
	return nil
}

// Words are the flags as a shell takes them: those that what is read depends on.
func (s *Sources) Words() []string {
	var words []string
	add := func(name string, values ...string) {
		for _, value := range values {
			words = append(words, shell.Quote("--"+name+"="+value))
		}
	}
	one := func(name, value string) {
		if value != "" {
			add(name, value)
		}
	}
	add("kustomize", s.kustomize...)
	add("helm", s.helm...)
	add("values", s.values...)
	add("set", s.set...)
	one("release", s.release)
	namespace := s.namespace
	if s.live() {
		context := s.cluster.Context
		if s.met != nil {
			context, namespace = s.met.Context, s.met.Namespace
		}
		one("kubeconfig", s.cluster.Kubeconfig)
		one("context", context)
		if s.cluster.All {
			words = append(words, "--all-namespaces")
		}
	}
	one("namespace", namespace)
	return words
}

// Read renders and reads everything, in the order of the flags. Its errors carry their exit code.
func (s *Sources) Read(ctx context.Context) ([]manifest.Text, error) {
	var out []manifest.Text
	for _, directory := range s.kustomize {
		text, err := render.Kustomize(ctx, directory)
		if err != nil {
			return nil, coded(err)
		}
		text.Namespace = s.namespace
		out = append(out, text)
	}
	for _, chart := range s.helm {
		text, err := render.Helm(ctx, render.Chart{Name: chart, Release: s.release, Namespace: s.namespace, Values: s.values, Set: s.set})
		if err != nil {
			return nil, coded(err)
		}
		out = append(out, text)
	}
	if s.live() {
		s.cluster.Namespace = s.namespace
		met, err := live.Read(ctx, s.cluster)
		if err != nil {
			return nil, coded(err)
		}
		s.met = met
		out = append(out, met.Text)
	}
	return out, nil
}

func coded(err error) error {
	var rendering *render.Error
	var reading *kubeconfig.Error
	if errors.As(err, &rendering) || errors.As(err, &reading) {
		return failure.Input(err)
	}
	return failure.Internal(errors.New(strings.TrimSpace(trace.Printable(err.Error(), false))))
}
