package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// runControllers starts kube-controller-manager against another API server.
func (s *Server) runControllers(_ http.ResponseWriter, r *http.Request) (any, error) {
	var want admin.Controllers
	if err := body(r, &want); err != nil {
		return nil, err
	}
	if want.Kubeconfig == "" {
		return nil, refused{"kubeconfig is missing: it says which API server", http.StatusBadRequest}
	}
	config, err := controller.Outside(want.Kubeconfig, controller.Protobuf, s.options.Kubernetes)
	if err != nil {
		return nil, refused{err.Error(), http.StatusBadRequest}
	}
	if _, err := controller.Selected(want.Controllers); err != nil {
		return nil, refused{err.Error(), http.StatusBadRequest}
	}
	manager, err := controller.Start(context.WithoutCancel(r.Context()), controller.Options{
		Config:      config,
		Controllers: want.Controllers, Flags: want.ControllerManager, SigningKey: s.credential.SigningKey,
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastAlone++
	s.alone[s.lastAlone] = manager
	return admin.Running{ID: s.lastAlone}, nil
}

func (s *Server) stopControllers(_ http.ResponseWriter, r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue(admin.PathID), 10, 64)
	if err != nil {
		return nil, refused{fmt.Sprintf("%q is no id", r.PathValue(admin.PathID)), http.StatusBadRequest}
	}
	s.mu.Lock()
	manager := s.alone[id]
	delete(s.alone, id)
	s.mu.Unlock()
	if manager == nil {
		return nil, refused{fmt.Sprintf("there are no controllers %d", id), http.StatusNotFound}
	}
	manager.Stop()
	return nil, nil
}
