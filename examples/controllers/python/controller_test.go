package python

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// server is as much of an API server as the controller asks for. Its first watch
// breaks off because the version is too old.
type server struct {
	mu      sync.Mutex
	objects map[string]any // by path
	watches int
	second  chan struct{} // closed by the second watch
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sites := "/apis/example.com/v1/namespaces/default/sites"
	switch {
	case r.URL.Query().Get("watch") == "true":
		s.watches++
		if s.watches == 1 {
			_, _ = fmt.Fprintln(w, `{"type": "ERROR", "object": {"kind": "Status", "code": 410, "message": "too old"}}`)
			return
		}
		if s.watches == 2 {
			close(s.second)
		}
		w.(http.Flusher).Flush()
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
	case r.URL.Path == sites:
		reply(w, map[string]any{"metadata": map[string]any{"resourceVersion": "7"}, "items": []any{s.objects[sites+"/home"]}})
	case r.Method == http.MethodGet && s.objects[r.URL.Path] != nil:
		reply(w, s.objects[r.URL.Path])
	case r.Method == http.MethodGet:
		http.NotFound(w, r)
	default: // creations and the status
		var object map[string]any
		if err := json.NewDecoder(r.Body).Decode(&object); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		path := r.URL.Path
		if r.Method == http.MethodPost {
			path += "/" + object["metadata"].(map[string]any)["name"].(string)
		}
		s.objects[path] = object
		reply(w, object)
	}
}

func reply(w http.ResponseWriter, object any) {
	_ = json.NewEncoder(w).Encode(object) // a client that has gone needs no answer
}

// TestController: with the first ConfigMap there and the second not, one form makes
// the second. Both list again when a watch breaks off.
func TestController(t *testing.T) {
	configmap := "/api/v1/namespaces/default/configmaps/"
	for form, want := range map[string]bool{"buggy": false, "fixed": true} {
		t.Run(form, func(t *testing.T) {
			metadata := map[string]any{"name": "home", "uid": "1"}
			owned := map[string]any{"name": "home-page", "ownerReferences": []any{metadata}}
			s := &server{second: make(chan struct{}), objects: map[string]any{
				"/apis/example.com/v1/namespaces/default/sites/home": map[string]any{
					"apiVersion": "example.com/v1", "kind": "Site", "metadata": metadata, "spec": map[string]any{"title": "Welcome"},
				},
				configmap + "home-page": map[string]any{"metadata": owned},
			}}
			h := httptest.NewServer(s)
			defer h.Close()
			config := fmt.Sprintf(`{"current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "b", "user": "c"}}],
				"clusters": [{"name": "b", "cluster": {"server": %q}}], "users": [{"name": "c", "user": {"token": "d"}}]}`, h.URL)
			path := filepath.Join(t.TempDir(), "kubeconfig")
			if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			command := exec.CommandContext(t.Context(), "python3", "controller.py", form)
			command.Env = append(os.Environ(), "KUBECONFIG="+path)
			command.Stderr = t.Output()
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- command.Wait() }()
			select {
			case <-s.second:
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			}
			if err := command.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Errorf("its end after SIGTERM: %v", err)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if made := s.objects[configmap+"home-settings"] != nil; made != want {
				t.Errorf("the second ConfigMap is made: %v, want %v", made, want)
			}
			if s.objects["/apis/example.com/v1/namespaces/default/sites/home/status"] == nil {
				t.Error("the status is not written")
			}
		})
	}
}
