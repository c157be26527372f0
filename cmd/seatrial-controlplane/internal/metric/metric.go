// Package metric serves the metrics APIs that autoscalers read, with values that
// are set instead of measured. It is registered with the API server's aggregator
// as metrics-server and its like are.
package metric

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// window is what values are said to be averaged over. The autoscaler takes no
// notice of a pod until it has been ready for so long: at a real metrics-server's
// resolution that would be most of a minute.
const window = time.Second

// usage is one admin.Usage, parsed.
type usage struct {
	admin.Usage
	selector  labels.Selector
	resources corev1.ResourceList
	value     resource.Quantity
}

// Server serves the values of one plane.
type Server struct {
	client   kubernetes.Interface
	listener net.Listener
	server   *http.Server

	mu    sync.Mutex
	usage []usage
}

// Start listens on loopback with a certificate of the process, and serves until
// Stop whoever shows the same certificate: the aggregator.
func Start(client kubernetes.Interface, certificate, key string) (*Server, error) {
	authority, err := os.ReadFile(certificate)
	if err != nil {
		return nil, err
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("%s has no certificate", certificate)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for metrics: %w", err)
	}
	s := &Server{client: client, listener: listener}
	s.server = &http.Server{
		Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: trusted},
	}
	go func() { _ = s.server.ServeTLS(listener, certificate, key) }() // until Stop
	return s, nil
}

// Stop ends the server.
func (s *Server) Stop() { _ = s.server.Close() }

// Port is where it listens.
func (s *Server) Port() int { return s.listener.Addr().(*net.TCPAddr).Port }

// Set replaces all values; of several that are about one thing the last counts.
func (s *Server) Set(all []admin.Usage) error {
	parsed := make([]usage, 0, len(all))
	for i, u := range all {
		p, err := parse(u)
		if err != nil {
			return fmt.Errorf("usage %d: %w", i, err)
		}
		parsed = append(parsed, p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage = parsed
	return nil
}

func parse(u admin.Usage) (usage, error) {
	p := usage{Usage: u, selector: labels.Everything()}
	var err error
	if u.Selector != "" {
		if p.selector, err = labels.Parse(u.Selector); err != nil {
			return p, fmt.Errorf("selector %q: %w", u.Selector, err)
		}
	}
	switch {
	case u.Metric == "" && len(u.Resources) == 0:
		return p, fmt.Errorf("it has neither resources nor a metric")
	case u.Metric != "" && len(u.Resources) > 0:
		return p, fmt.Errorf("it has both resources and a metric: make it two")
	case u.Metric != "":
		if p.value, err = resource.ParseQuantity(u.Value); err != nil {
			return p, fmt.Errorf("value %q: %w", u.Value, err)
		}
		return p, nil
	}
	p.resources = corev1.ResourceList{}
	for name, text := range u.Resources {
		quantity, err := resource.ParseQuantity(text)
		if err != nil {
			return p, fmt.Errorf("%s %q: %w", name, text, err)
		}
		p.resources[corev1.ResourceName(name)] = quantity
	}
	return p, nil
}

// of tells whether the value is about a pod.
func (u usage) of(pod *corev1.Pod) bool {
	return !u.External && u.Object == "" &&
		cmp.Or(u.Namespace, pod.Namespace) == pod.Namespace &&
		cmp.Or(u.Pod, pod.Name) == pod.Name &&
		u.selector.Matches(labels.Set(pod.Labels))
}

// resourcesOf is what each container of a pod uses; false if nothing was said of
// it, or it does not run: then there is no sample, as for a pod that just began.
func (s *Server) resourcesOf(pod *corev1.Pod) (corev1.ResourceList, bool) {
	if pod.Status.Phase != corev1.PodRunning {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found := corev1.ResourceList{}
	for _, u := range s.usage {
		if !u.of(pod) {
			continue
		}
		for name, quantity := range u.resources {
			found[name] = quantity
		}
	}
	return found, len(found) > 0
}

// value is a custom metric of a pod, of an object, or an external one.
func (s *Server) value(metric string, about func(usage) bool) (resource.Quantity, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found resource.Quantity
	known := false
	for _, u := range s.usage {
		if u.Metric == metric && about(u) {
			found, known = u.value, true
		}
	}
	return found, known
}

// pods are those of a namespace ("" for all) that a selector matches.
func (s *Server) pods(ctx context.Context, namespace, name, selector string) ([]corev1.Pod, error) {
	options := listOptions(selector)
	if name != "" && name != "*" {
		options.FieldSelector = "metadata.name=" + name
	}
	list, err := s.client.CoreV1().Pods(namespace).List(ctx, options)
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// objectOf tells whether a value is about an object: kind and name, as users
// write it, against the resource and name of a request.
func (u usage) objectOf(namespace, resource, name string) bool {
	kind, object, _ := strings.Cut(u.Object, "/")
	plural, _, _ := strings.Cut(resource, ".")
	lower := strings.ToLower(kind)
	return u.Object != "" && !u.External && object == name && cmp.Or(u.Namespace, namespace) == namespace &&
		(lower == plural || lower+"s" == plural || lower+"es" == plural || strings.TrimSuffix(lower, "y")+"ies" == plural)
}
