package server

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/controller"
	"github.com/seatrial/seatrial/controlplane/admin"
)

// runControllers starts kube-controller-manager against another API server.
func (s *Server) runControllers(_ http.ResponseWriter, r *http.Request) (any, error) {
	var want admin.Controllers
	if err := body(r, &want); err != nil {
		return nil, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", want.Kubeconfig)
	if err != nil {
		return nil, refused{fmt.Sprintf("kubeconfig %s: %v", want.Kubeconfig, err), http.StatusBadRequest}
	}
	if _, err := controller.Selected(want.Controllers); err != nil {
		return nil, refused{err.Error(), http.StatusBadRequest}
	}
	config.QPS = -1
	config.ContentType = runtime.ContentTypeProtobuf
	config.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	manager, err := controller.Start(context.WithoutCancel(r.Context()), controller.Options{
		Config: func(actor string) *rest.Config {
			own := rest.CopyConfig(config)
			return rest.AddUserAgent(own, actor)
		},
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
