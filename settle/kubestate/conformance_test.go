package kubestate

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/seatrial/seatrial/controlplane"
)

var (
	first = flag.Int("sequence", 0, "the number of the first sequence of TestConformance")
	only  = flag.String("resource", "", "the one resource that TestConformance is about; empty for all")
	count = flag.Int("sequences", 0, "how many sequences TestConformance makes; 0 for the usual")
)

const (
	shortForm = 40
	longForm  = 10_000
	// workers make sequences at the same time.
	workers = 4
	// chunk is for how many sequences namespaces are made beforehand: a request in
	// one that the server has not heard of waits.
	chunk = 10
)

// TestConformance makes random sequences of requests to a Server and to kube-apiserver,
// and compares the answers.
func TestConformance(t *testing.T) {
	if os.Getenv("SEATRIAL_CONTROLPLANE") == "" {
		t.Log("needs a control plane: SEATRIAL_CONTROLPLANE is the path of its executable")
		return
	}
	long := os.Getenv("SEATRIAL_CONFORMANCE") != ""
	n := shortForm
	if long {
		n = longForm
	}
	if *count > 0 {
		n, long = *count, false
	}
	kinds := slices.DeleteFunc(slices.Clone(specimens), func(k *specimen) bool { return *only != "" && k.Resource != *only })
	definitions := loadDefinitions(t)
	server, err := NewServer(Config{Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	c := &campaign{kinds: kinds, server: server, plane: startPlane(t), cells: map[string]int{}, differences: map[string][]*difference{}}
	c.run(t, *first, n)
	t.Logf("%d sequences, %d requests, %d cells", n, c.requests, len(c.cells))
	for _, cell := range slices.Sorted(maps.Keys(c.cells)) {
		t.Logf("%7d  %s", c.cells[cell], cell)
	}
	if len(c.once) > 0 {
		t.Logf("%d sequences differed, and not when they were made again: %d", len(c.once), c.once)
	}
	for _, signature := range slices.Sorted(maps.Keys(c.differences)) {
		all := c.differences[signature]
		slices.SortFunc(all, func(a, b *difference) int { return a.sequence - b.sequence })
		var numbers []int
		for _, d := range all {
			numbers = append(numbers, d.sequence)
		}
		t.Errorf("%d sequences, %s\n%s\n  sequences %d", len(all), signature, all[0].text, numbers)
	}
	if none := missing(c.cells); long && len(none) > 0 {
		t.Errorf("cells that no request hit:\n  %s", strings.Join(none, "\n  "))
	}
}

func loadDefinitions(t *testing.T) []*apiextensionsv1.CustomResourceDefinition {
	var all []*apiextensionsv1.CustomResourceDefinition
	for _, path := range definitionFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, d); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, d)
	}
	return all
}

func definitionFiles(t *testing.T) []string {
	paths, err := filepath.Glob("testdata/conformance/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no definitions: %v", err)
	}
	return paths
}

// startPlane starts kube-apiserver, and nothing that would write to it.
func startPlane(t *testing.T) *plane {
	started := controlplane.Start(t, func(o *controlplane.Options) {
		o.Spec.Mode = "lean"
		o.Spec.Controllers = []string{"-*"}
		o.Spec.Count = new(int)
	})
	config, err := clientcmd.BuildConfigFromFlags("", started.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	p := &plane{client: client, url: config.Host}
	for _, path := range definitionFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p.post(t, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/yaml", text)
	}
	for _, k := range specimens {
		p.served(t, k)
	}
	return p
}

func (p *plane) post(t *testing.T, path, media string, body []byte) {
	a, err := p.client.Post(p.url+path, media, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusCreated {
		text, err := io.ReadAll(a.Body)
		t.Fatalf("POST %s: %s %s %v", path, a.Status, text, err)
	}
}

// served waits until a kind is.
func (p *plane) served(t *testing.T, k *specimen) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		r := &Request{Verb: "list", Resource: k.GroupVersionResource, Options: map[string][]string{}}
		a, err := p.answer(ctx, "", r)
		if err == nil && a.code == http.StatusOK {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s are not served: %v %v", k.Resource, a, err)
		}
	}
}

// campaign is many sequences.
type campaign struct {
	server *Server
	plane  *plane
	kinds  []*specimen

	mu          sync.Mutex
	requests    int
	cells       map[string]int
	differences map[string][]*difference
	// once are sequences that differed, and not when they were made again.
	once   []int
	broken error
}

func (c *campaign) run(t *testing.T, first, n int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	numbers := make(chan int)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for from := range numbers {
				if err := c.chunk(ctx, from, min(from+chunk, first+n)); err != nil {
					c.mu.Lock()
					c.broken = errors.Join(c.broken, err)
					c.mu.Unlock()
					cancel()
				}
			}
		})
	}
	for from := first; from < first+n; from += chunk {
		numbers <- from
	}
	close(numbers)
	group.Wait()
	if c.broken != nil {
		t.Fatal(c.broken)
	}
}

// chunk makes sequences one after another. One that differs is made once more, by other names: a
// server that has too much to do answers one write in a hundred thousand by what its cache had
// before the last one, and then the two agree.
func (c *campaign) chunk(ctx context.Context, from, to int) error {
	var all []*sequence
	for n := from; n < to; n++ {
		s := newSequence(n, c)
		all = append(all, s)
		if err := c.namespace(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range all {
		d, err := differs(s.run(ctx))
		differed := d != nil
		if err == nil && differed {
			again := newSequence(s.number, c)
			again.tag = fmt.Sprintf("r%06dr", s.number)
			if err = c.namespace(ctx, again); err == nil {
				d, err = differs(again.run(ctx))
			}
		}
		if err != nil {
			return err
		}
		c.mu.Lock()
		c.requests += len(s.requests)
		for cell, n := range s.cells {
			c.cells[cell] += n
		}
		if d != nil {
			c.differences[d.signature] = append(c.differences[d.signature], d)
		} else if differed {
			c.once = append(c.once, s.number)
		}
		c.mu.Unlock()
	}
	return nil
}

func (c *campaign) namespace(ctx context.Context, s *sequence) error {
	if a, err := c.plane.answer(ctx, s.tag, namespaceRequest()); err != nil || a.code != http.StatusCreated {
		return fmt.Errorf("create a namespace: %v: %w", a, err)
	}
	return nil
}

// differs is the difference that an error is, if it is one.
func differs(err error) (*difference, error) {
	var d *difference
	if err == nil || errors.As(err, &d) || errors.Is(err, errKnown) {
		return d, nil
	}
	return nil, err
}
