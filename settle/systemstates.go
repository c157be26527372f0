package settle

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// SystemStates are Systems with their states beside another cluster than that of an exploration, as
// in tests of package regression: there is no cloud either, and the model answers as it does
// where it is explored.
type SystemStates struct {
	systems []System
	// states are theirs, as JSON.
	states map[string][]byte
}

// NewSystemStates are Systems in their first states. It is an error if one is no JSON.
func NewSystemStates(all []System) (*SystemStates, error) {
	out := &SystemStates{all, map[string][]byte{}}
	for _, s := range all {
		first, err := json.Marshal(s.first)
		if err != nil {
			return nil, fmt.Errorf("settle: Systems: %s: %w", s.Name, err)
		}
		out.states[s.Name] = first
	}
	return out, nil
}

// Texts are the states, as JSON behind the names, in the order of the Systems.
func (s *SystemStates) Texts() (all []string) {
	for _, of := range s.systems {
		all = append(all, of.Name+" "+string(s.states[of.Name]))
	}
	return all
}

// Reader is a client by which Look reads the states, and all else is read as by this one.
func (s *SystemStates) Reader(of client.Reader) client.Reader {
	return statesReader{of, remotes{s, of, nil}}
}

// Client is one by which Connect reaches the Systems, and which does all else as this one. Those that read what
// there is (NewSystemInCluster) read it from cluster. A request is made when let calls it, whose
// error is the answer of one that it does not let through.
func (s *SystemStates) Client(of client.Client, cluster client.Reader, let func(system string, request func() error) error) client.Client {
	return statesClient{of, remotes{s, cluster, let}}
}

type statesReader struct {
	client.Reader
	remotes
}

type statesClient struct {
	client.Client
	remotes
}

// remotes are all Systems as one client reaches them.
type remotes struct {
	of      *SystemStates
	cluster client.Reader
	let     func(system string, request func() error) error
}

func (r remotes) hasSystem(name string) bool { return r.let != nil && known(r.of.systems, name) }

func (r remotes) askSystem(name string, request []byte) (response []byte, err error) {
	err = r.let(name, func() (err error) {
		response, err = r.of.handle(name, r.cluster, request)
		return err
	})
	return response, err
}

func (r remotes) systemState(name string) ([]byte, error) {
	if state, found := r.of.states[name]; found {
		return state, nil
	}
	return nil, errNoSystem(name)
}

// handle has a System answer. One that panics has its caller panic, which is who can say where.
func (s *SystemStates) handle(name string, cluster client.Reader, request []byte) (response []byte, err error) {
	i := slices.IndexFunc(s.systems, func(of System) bool { return of.Name == name })
	var after []byte
	if wrong := guarded(func() { after, response, err = s.systems[i].handle(s.Reader(cluster), s.states[name], request) }); wrong != nil {
		panic(fmt.Errorf("System %s %w", name, wrong))
	}
	if err != nil {
		return nil, errors.New(err.Error()) // from afar there is its text only
	}
	s.states[name] = after
	return response, nil
}
