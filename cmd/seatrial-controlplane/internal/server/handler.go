package server

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/apiproxy"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/descheduler"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/plane"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/scheduler"
	"github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/spec"
	"github.com/seatrial/seatrial/controlplane/admin"
	"github.com/seatrial/seatrial/history"
)

// bodyMax bounds what a request may send.
const bodyMax = 16 << 20

// refused is an error that is the client's, with its HTTP code.
type refused struct {
	message string
	code    int
}

func (r refused) Error() string { return r.message }

func goroutines() int { return runtime.NumGoroutine() }

// handler serves the admin interface.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for route, handle := range s.handlers() {
		mux.HandleFunc(string(route), func(w http.ResponseWriter, r *http.Request) {
			answer, err := handle(w, r)
			s.answer(w, answer, err)
		})
	}
	return s.guard(mux)
}

// streamed is what a handler returns that has answered by itself.
type streamed struct{}

type handle func(http.ResponseWriter, *http.Request) (any, error)

func (s *Server) handlers() map[admin.Route]handle {
	all := map[admin.Route]handle{
		admin.RouteStatus:          func(_ http.ResponseWriter, r *http.Request) (any, error) { return s.status(r.Context()) },
		admin.RouteStop:            func(http.ResponseWriter, *http.Request) (any, error) { defer s.stop(); return nil, nil },
		admin.RouteRunControllers:  s.runControllers,
		admin.RouteStopControllers: s.stopControllers,
		admin.RouteAddPlane: func(_ http.ResponseWriter, r *http.Request) (any, error) {
			var want admin.Spec
			if err := body(r, &want); err != nil {
				return nil, err
			}
			p, err := s.add(r.Context(), want, 0)
			if err != nil {
				return nil, err
			}
			return p.Describe(), nil
		},
		admin.RouteRemovePlane: func(_ http.ResponseWriter, r *http.Request) (any, error) {
			return nil, s.remove(r.Context(), r.PathValue(admin.PathPlane))
		},
	}
	for route, handle := range planeHandlers {
		all[route] = func(w http.ResponseWriter, r *http.Request) (any, error) {
			p, err := s.plane(r.PathValue(admin.PathPlane))
			if err != nil {
				return nil, err
			}
			return handle(p, w, r)
		}
	}
	return all
}

// planeHandlers are the requests about one plane.
var planeHandlers = map[admin.Route]func(*plane.Plane, http.ResponseWriter, *http.Request) (any, error){
	admin.RouteReset: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		return p.Reset(r.Context())
	},
	admin.RouteBaseline: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		err := p.Baseline(r.Context())
		return p.Describe(), err
	},
	admin.RouteHold: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var matches []admin.Match
		err := body(r, &matches)
		if err == nil {
			p.Gate().Hold(matches)
		}
		return nil, err
	},
	admin.RouteParked: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		after, err := number(r, admin.QueryAfter)
		if err != nil {
			return nil, err
		}
		return p.Gate().Wait(r.Context(), after)
	},
	admin.RouteHistory: stream,
	admin.RouteLockStep: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var mode admin.LockStep
		err := body(r, &mode)
		if err == nil {
			p.LockStep(mode.On)
		}
		return nil, err
	},
	admin.RouteSteer: steered(func(s *scheduler.Steering, r *http.Request) (any, error) {
		var to admin.Steer
		if err := body(r, &to); err != nil {
			return nil, err
		}
		if err := s.Steer(to); err != nil {
			return nil, refused{err.Error(), http.StatusBadRequest}
		}
		return nil, nil
	}),
	admin.RouteTurns: steered(func(s *scheduler.Steering, r *http.Request) (any, error) {
		after, err := number(r, admin.QueryAfter)
		if err != nil {
			return nil, err
		}
		return s.Wait(r.Context(), after)
	}),
	admin.RouteUsage: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var usage []admin.Usage
		if err := body(r, &usage); err != nil {
			return nil, err
		}
		if err := p.Use(usage); err != nil {
			return nil, refused{err.Error(), http.StatusBadRequest}
		}
		return nil, nil
	},
	admin.RouteDeschedule: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var cycle admin.Deschedule
		if err := body(r, &cycle); err != nil {
			return nil, err
		}
		done, err := p.Deschedule(r.Context(), cycle.Policy)
		if invalid := (descheduler.PolicyError{}); errors.As(err, &invalid) {
			return nil, refused{err.Error(), http.StatusBadRequest}
		}
		return done, err
	},
	admin.RouteAddNode: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var node json.RawMessage
		if err := body(r, &node); err != nil {
			return nil, err
		}
		return nil, p.AddNode(r.Context(), node)
	},
	admin.RouteFailNode: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		return nil, p.FailNode(r.PathValue(admin.PathNode))
	},
	admin.RouteHealNode: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		return nil, p.HealNode(r.PathValue(admin.PathNode))
	},
	admin.RouteRules: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var rules admin.Rules
		if err := body(r, &rules); err != nil {
			return nil, err
		}
		return nil, p.SetRules(rules.Rules)
	},
	admin.RouteRelease: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		return nil, decide(r, p.Gate().Release)
	},
	admin.RoutePass: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var answer admin.Answer
		err := decide(r, func(id int64) (err error) { answer.Code, err = p.Gate().Pass(r.Context(), id); return err })
		return answer, err
	},
	admin.RouteSeen: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		return nil, p.Seen(r.Context())
	},
	admin.RouteRefuse: func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		var how admin.Refusal
		if err := body(r, &how); err != nil {
			return nil, err
		}
		if how.Code < 400 || how.Code > 599 {
			return nil, refused{fmt.Sprintf("code %d: it is from 400 to 599", how.Code), http.StatusBadRequest}
		}
		return nil, decide(r, func(id int64) error { return p.Gate().Refuse(id, how.Code, how.Reason) })
	},
}

// steered is a request about the scheduler of a plane that can be steered.
func steered(handle func(*scheduler.Steering, *http.Request) (any, error)) func(*plane.Plane, http.ResponseWriter, *http.Request) (any, error) {
	return func(p *plane.Plane, _ http.ResponseWriter, r *http.Request) (any, error) {
		if p.Steering() == nil {
			return nil, refused{"this plane cannot be steered: its spec does not say so", http.StatusBadRequest}
		}
		return handle(p.Steering(), r)
	}
}

// decide reads which parked request is meant.
func decide(r *http.Request, with func(int64) error) error {
	id, err := strconv.ParseInt(r.PathValue(admin.PathID), 10, 64)
	if err != nil {
		return refused{fmt.Sprintf("%q is no id", r.PathValue(admin.PathID)), http.StatusBadRequest}
	}
	if err := with(id); errors.Is(err, apiproxy.ErrNotParked) {
		return refused{err.Error(), http.StatusNotFound}
	} else if err != nil {
		return err
	}
	return nil
}

// stream writes the history, a line an event, as it comes.
func stream(p *plane.Plane, w http.ResponseWriter, r *http.Request) (any, error) {
	from, err := number(r, admin.QueryFrom)
	if err != nil {
		return nil, err
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	flush := http.NewResponseController(w).Flush
	follow := r.URL.Query().Get(admin.QueryFollow) == "true"
	if follow {
		if err := flush(); err != nil {
			return nil, err
		}
	}
	err = p.History(r.Context(), from, follow, func(e history.Event) error {
		if err := history.Encode(w, e); err != nil || !follow {
			return err
		}
		return flush()
	})
	if err != nil {
		panic(http.ErrAbortHandler) // the answer has begun: cut it off, so that it is no whole one
	}
	return streamed{}, nil
}

// number reads a number of the query, 0 if it is missing.
func number(r *http.Request, name string) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, refused{fmt.Sprintf("%s=%q is no number", name, text), http.StatusBadRequest}
	}
	return n, nil
}

// body reads a JSON body strictly.
func body(r *http.Request, into any) error {
	d := json.NewDecoder(http.MaxBytesReader(nil, r.Body, bodyMax))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return refused{"body: " + err.Error(), http.StatusBadRequest}
	}
	return nil
}

// guard lets only those in who bear the token and speak this version.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		version := r.Header.Get(admin.HeaderVersion)
		switch {
		case subtle.ConstantTimeCompare([]byte(token), []byte(s.credential.Token)) != 1:
			s.answer(w, nil, refused{"the token is missing or wrong", http.StatusUnauthorized})
		case version != "" && version != admin.Version:
			s.answer(w, nil, refused{fmt.Sprintf("this is %s, not %s: use executables of one version", admin.Version, version), http.StatusConflict})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (s *Server) answer(w http.ResponseWriter, answer any, err error) {
	if _, done := answer.(streamed); done {
		return
	}
	code := http.StatusOK
	var r refused
	switch {
	case errors.As(err, &r):
		code, answer = r.code, admin.Failure{Message: r.message}
	case spec.IsWrong(err):
		code, answer = http.StatusBadRequest, admin.Failure{Message: err.Error()}
	case err != nil:
		code, answer = http.StatusInternalServerError, admin.Failure{Message: err.Error()}
	case answer == nil:
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer) // a caller that has gone is told nothing
}
