package controller

import (
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// clients gives a controller clients in its own name, whatever it asks for: some
// controllers share the name of a service account, and the gate has to know them
// apart.
type clients struct{ config *rest.Config }

func (c clients) Config(string) (*rest.Config, error) { return rest.CopyConfig(c.config), nil }

func (c clients) ConfigOrDie(string) *rest.Config { return rest.CopyConfig(c.config) }

func (c clients) Client(string) (kubernetes.Interface, error) {
	return kubernetes.NewForConfig(c.config)
}

func (c clients) ClientOrDie(string) kubernetes.Interface {
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		klog.Fatal(err)
	}
	return client
}

func (c clients) DiscoveryClient(string) (discovery.DiscoveryInterface, error) {
	return discovery.NewDiscoveryClientForConfig(c.config)
}

func (c clients) DiscoveryClientOrDie(string) discovery.DiscoveryInterface {
	client, err := discovery.NewDiscoveryClientForConfig(c.config)
	if err != nil {
		klog.Fatal(err)
	}
	return client
}
