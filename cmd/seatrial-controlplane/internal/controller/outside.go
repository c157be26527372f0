package controller

import (
	"fmt"
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Wire is how controllers write objects, and like best to read them.
type Wire string

// The wires of --kube-api-content-type.
const (
	Protobuf = Wire(runtime.ContentTypeProtobuf)
	JSON     = Wire(runtime.ContentTypeJSON)
)

// Set takes the name of a wire.
func (w *Wire) Set(name string) error {
	switch Wire(name) {
	case Protobuf, JSON:
		*w = Wire(name)
		return nil
	}
	return fmt.Errorf("%q is neither %s nor %s", name, Protobuf, JSON)
}

// SetFeatureGates sets those of the process; once, before anything is started.
func SetFeatureGates(gates map[string]bool) error {
	if err := utilfeature.DefaultMutableFeatureGate.SetFromMap(gates); err != nil {
		return fmt.Errorf("feature gates: %w", err)
	}
	return nil
}

// Outside makes clients for an API server that a kubeconfig leads to: a file, or that of
// the variable KUBECONFIG if it is empty. They are not throttled, and go by the name of
// a kube-controller-manager of a version.
func Outside(kubeconfig string, wire Wire, version string) (func(actor string) *rest.Config, error) {
	if kubeconfig == "" {
		kubeconfig = os.Getenv(clientcmd.RecommendedConfigPathEnvVar)
	}
	if kubeconfig == "" {
		return nil, fmt.Errorf("no API server: give --kubeconfig, or set %s", clientcmd.RecommendedConfigPathEnvVar)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("kubeconfig %s: %w", kubeconfig, err)
	}
	config.QPS = -1
	config.ContentType = string(wire)
	config.AcceptContentTypes = runtime.ContentTypeJSON
	if wire == Protobuf {
		config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	}
	return func(actor string) *rest.Config {
		own := rest.CopyConfig(config)
		own.UserAgent = "kube-controller-manager/" + version + "/" + actor
		return own
	}, nil
}
