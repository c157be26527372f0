package plane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/kubelet/rule"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// usualNodes is how many nodes a plane has if its spec does not say.
const usualNodes = 3

// startNodes starts the kubelets of all nodes that there are.
func startNodes(p *Plane) (part, error) {
	if !p.selected.kubelet {
		return nil, nil
	}
	options := kubelet.Options{Report: func(err error) { klog.ErrorS(err, "kubelet") }}
	var err error
	if p.options.Spec.Heartbeat != "" {
		if options.Lease, err = time.ParseDuration(p.options.Spec.Heartbeat); err != nil {
			return nil, spec.Wrong(fmt.Errorf("heartbeat: %w", err))
		}
	}
	if options.Rules, err = rule.Parse("rules", []byte(p.options.Spec.Rules)); err != nil {
		return nil, spec.Wrong(err)
	}
	if p.nodes, err = kubelet.Start(p.ctx, p.config("kubelet"), options); err != nil {
		return nil, err
	}
	return p.nodes, nil
}

// firstNodes are those that the spec asks for.
func firstNodes(want admin.Spec) ([]*corev1.Node, error) {
	if want.Nodes == nil {
		count := usualNodes
		if want.Count != nil {
			count = *want.Count
		}
		return kubelet.DefaultNodes(count), nil
	}
	var all []*corev1.Node
	for i, raw := range want.Nodes {
		node, err := readNode(raw)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		all = append(all, node)
	}
	return all, nil
}

func readNode(raw json.RawMessage) (*corev1.Node, error) {
	node := &corev1.Node{}
	if err := json.Unmarshal(raw, node); err != nil {
		return nil, spec.Wrong(err)
	}
	if node.Name == "" {
		return nil, spec.Wrong(errors.New("it has no name"))
	}
	return node, nil
}

// ErrNoKubelet says that nobody stands for machines in a plane.
var ErrNoKubelet = spec.Wrong(errors.New("this plane has no kubelets: its spec leaves them out"))

// kubelets are the present ones: a reset makes others.
func (p *Plane) kubelets() (*kubelet.Kubelets, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.nodes == nil {
		return nil, ErrNoKubelet
	}
	return p.nodes, nil
}

// AddNode adds a node with a kubelet.
func (p *Plane) AddNode(ctx context.Context, raw json.RawMessage) error {
	node, err := readNode(raw)
	if err != nil {
		return err
	}
	k, err := p.kubelets()
	if err != nil {
		return err
	}
	return k.AddNode(ctx, node)
}

// FailNode stops a machine: its kubelet says nothing any more, and its pods stay
// as they are.
func (p *Plane) FailNode(name string) error {
	k, err := p.kubelets()
	if err == nil {
		k.FailNode(name)
	}
	return err
}

// HealNode starts it again.
func (p *Plane) HealNode(name string) error {
	k, err := p.kubelets()
	if err == nil {
		k.HealNode(name)
	}
	return err
}

// SetRules replaces how pods behave, but for the built-in rules.
func (p *Plane) SetRules(text string) error {
	rules, err := rule.Parse("rules", []byte(text))
	if err != nil {
		return spec.Wrong(err)
	}
	k, err := p.kubelets()
	if err != nil {
		return err
	}
	return k.SetRules(rules)
}
