//go:build darwin || linux

package controlplane

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// The test binary is also the executable that it starts, if these are set.
const (
	fakeMode = "SEATRIAL_TEST_FAKE"      // what it does
	fakeBase = "SEATRIAL_TEST_FAKE_BASE" // where its directory goes
)

func TestMain(m *testing.M) {
	switch mode := os.Getenv(fakeMode); mode {
	case "":
		os.Exit(m.Run())
	case "parent":
		os.Exit(fakeParent())
	default:
		os.Exit(fakeChild(mode))
	}
}

// fakeChild behaves as the real executable does, or not, as its mode says.
func fakeChild(mode string) int {
	in := bufio.NewReader(os.Stdin)
	line, err := in.ReadString('\n')
	var spec admin.Spec
	if err != nil || json.Unmarshal([]byte(line), &spec) != nil || len(os.Args) < 2 || os.Args[1] != "--parent" {
		fmt.Fprintf(os.Stderr, "started as %q with %q\n", os.Args, line)
		return 2
	}
	directory, err := os.MkdirTemp(os.Getenv(fakeBase), admin.DirectoryPrefix)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	defer func() { _ = os.RemoveAll(directory) }()
	lock, err := os.Create(filepath.Join(directory, admin.LockFile))
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 4
	}
	defer lock.Close()
	_ = os.WriteFile(filepath.Join(directory, admin.LogFile), []byte("much\nearlier\n1\n2\n3\nearly\nkube-apiserver: \x1b[31mout of memory\n"), 0o600)

	f := &fake{planes: map[string]bool{"main": true}, revision: 10}
	r := admin.Ready{
		Schema: admin.Version, Version: "v0.0.0-fake", Process: os.Getpid(), Directory: directory,
		Network: "unix", Address: filepath.Join(directory, "s"), Plane: f.plane("main", spec),
	}
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "listen: address\tin use")
		return 4
	case "refuses":
		fmt.Fprintln(os.Stderr, "seatrial-controlplane: mode \"fat\": it is full or lean")
		return 2
	case "refuses late":
		fmt.Fprintln(os.Stderr, "2026/11/27 00:42:45 httputil: ReverseProxy read error during body copy: unexpected EOF\nseatrial-controlplane: there is no flag --fat")
		return 2
	case "panics":
		panic("out of luck")
	case "garbage":
		fmt.Println("Hello, world")
	case "endless":
		for range 3 {
			fmt.Print(strings.Repeat("x", readyMax))
		}
	case "silent":
	case "version":
		r.Schema = "seatrial.dev/controlplane/v0"
		_ = json.NewEncoder(os.Stdout).Encode(r)
	case "nowhere":
		r.Address = ""
		_ = json.NewEncoder(os.Stdout).Encode(r)
	case "run":
		listener, err := net.Listen(r.Network, r.Address)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		go func() { _ = http.Serve(listener, f.handler()) }()
		// At once: a later write would be to the pipe of a parent that may be gone.
		line, err := json.Marshal(r)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		fmt.Printf("%s\nwhat follows is of no interest\n", line)
	}
	_, _ = io.Copy(io.Discard, in) // until the parent ends
	return 0
}

// fakeParent starts a child, says what it said, and waits to be killed.
func fakeParent() int {
	own, err := os.Executable()
	if err == nil {
		var p *Process
		if p, err = Launch(context.Background(), Options{Path: own, Environment: []string{fakeMode + "=run"}}); err == nil {
			_ = json.NewEncoder(os.Stdout).Encode(p.Ready)
			<-p.Done()
			err = p.Err()
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 4
}

// fake is the admin interface as far as the tests need it.
type fake struct {
	mu       sync.Mutex
	planes   map[string]bool
	revision int64
}

func (f *fake) plane(name string, spec admin.Spec) admin.Plane {
	return admin.Plane{Name: name, Server: "https://127.0.0.1/" + spec.Mode, Kubeconfig: "/" + name, Revision: f.revision}
}

func (f *fake) handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(route admin.Route, answer func(r *http.Request, plane string) any) {
		mux.HandleFunc(string(route), func(w http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			defer f.mu.Unlock()
			plane := r.PathValue(admin.PathPlane)
			if plane != "" && !f.planes[plane] {
				w.WriteHeader(http.StatusNotFound)
				_ = json.NewEncoder(w).Encode(admin.Failure{Message: "there is no plane " + plane})
				return
			}
			if a := answer(r, plane); a != nil {
				_ = json.NewEncoder(w).Encode(a)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
	}
	handle(admin.RouteAddPlane, func(r *http.Request, _ string) any {
		var spec admin.Spec
		_ = json.NewDecoder(r.Body).Decode(&spec)
		f.planes[spec.Name] = true
		return f.plane(spec.Name, spec)
	})
	handle(admin.RouteRemovePlane, func(_ *http.Request, plane string) any {
		delete(f.planes, plane)
		return nil
	})
	handle(admin.RouteReset, func(*http.Request, string) any {
		f.revision += 10
		return admin.Reset{Revision: f.revision}
	})
	handle(admin.RouteBaseline, func(_ *http.Request, plane string) any {
		f.revision++
		return f.plane(plane, admin.Spec{})
	})
	handle(admin.RouteStatus, func(*http.Request, string) any {
		s := admin.Status{Revision: f.revision, Keys: map[string]int{}}
		for name := range f.planes {
			s.Keys[name] = 0
		}
		return s
	})
	mux.HandleFunc(string(admin.RouteHistory), func(w http.ResponseWriter, r *http.Request) {
		var from int64
		_, _ = fmt.Sscan(r.URL.Query().Get(admin.QueryFrom), &from)
		_ = history.Encode(w, history.Event{
			Revision: from, Type: history.Create,
			Key: history.Key{Resource: "pods", Name: "a"}, Object: history.Object{"a": 1},
		})
	})
	return mux
}
