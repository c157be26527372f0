package admin

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/seatrial/seatrial/history"
)

// answerMax bounds an answer that is not a stream, in bytes.
const answerMax = 64 << 20

// Client speaks the admin interface of one process. It is safe for concurrent
// use. Its methods end with their context; what is asked of the process may then
// still happen. A process that refuses answers with an [Error].
type Client struct {
	base  string
	token string
	http  *http.Client
}

// Error is an answer that is not a success.
type Error struct {
	Route Route
	// Code is the HTTP code: 404 for a plane, node or parked request that is not
	// there, 409 for a client of another version.
	Code    int
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.Route, e.Message, e.Code)
}

// NotFound tells whether err says that what was named is not there: a plane, a
// node, or a parked request that waits no more.
func NotFound(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == http.StatusNotFound
}

// NewClient speaks to the process that said it is ready. There is nothing to
// close but what [Client.Close] does.
func NewClient(r Ready) *Client {
	transport := &http.Transport{DisableCompression: true}
	host := r.Address
	if r.Network == "unix" {
		host = "seatrial-controlplane"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, r.Network, r.Address)
		}
	}
	return &Client{"http://" + host, r.Token, &http.Client{Transport: transport}}
}

// Close closes the connections that are idle.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Status asks the process how it is.
func (c *Client) Status(ctx context.Context) (Status, error) {
	var s Status
	return s, c.call(ctx, RouteStatus, nil, nil, &s)
}

// Stop ends the process.
func (c *Client) Stop(ctx context.Context) error { return c.call(ctx, RouteStop, nil, nil, nil) }

// AddPlane starts one more plane and returns when it is ready. It needs a name.
func (c *Client) AddPlane(ctx context.Context, s Spec) (Plane, error) {
	var p Plane
	return p, c.call(ctx, RouteAddPlane, nil, s, &p)
}

// RemovePlane ends a plane and removes what it stored.
func (c *Client) RemovePlane(ctx context.Context, plane string) error {
	return c.call(ctx, RouteRemovePlane, []string{plane}, nil, nil)
}

// Reset puts a plane back to its baseline.
func (c *Client) Reset(ctx context.Context, plane string) (Reset, error) {
	var r Reset
	return r, c.call(ctx, RouteReset, []string{plane}, nil, &r)
}

// Baseline makes what the plane holds now its baseline.
func (c *Client) Baseline(ctx context.Context, plane string) (Plane, error) {
	var p Plane
	return p, c.call(ctx, RouteBaseline, []string{plane}, nil, &p)
}

// History gives the plane's events from a revision on, in order. Without follow
// it ends at the newest; with it only with ctx, whose error it then gives, or
// with an error. It is asked again for each use.
func (c *Client) History(ctx context.Context, plane string, from int64, follow bool) iter.Seq2[history.Event, error] {
	return func(yield func(history.Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		query := url.Values{QueryFrom: {strconv.FormatInt(from, 10)}}
		if follow {
			query.Set(QueryFollow, "true")
		}
		response, err := c.send(ctx, RouteHistory, []string{plane}, query, nil)
		if err != nil {
			yield(history.Event{}, err)
			return
		}
		defer response.Body.Close()
		for e, err := range history.Decode(response.Body) {
			if err != nil {
				yield(e, cmp.Or(ctx.Err(), err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if follow { // a stream that is followed has no end
			yield(history.Event{}, cmp.Or(ctx.Err(), fmt.Errorf("%s: plane %s has ended", RouteHistory, plane)))
		}
	}
}

// Hold replaces what the plane's gate holds. What is parked and does not match
// any more is released.
func (c *Client) Hold(ctx context.Context, plane string, matches ...Match) error {
	if matches == nil {
		matches = []Match{}
	}
	return c.call(ctx, RouteHold, []string{plane}, matches, nil)
}

// Parked waits until the generation of what is parked is above after, and gives
// it: at once for 0.
func (c *Client) Parked(ctx context.Context, plane string, after int64) (Queue, error) {
	var q Queue
	query := url.Values{QueryAfter: {strconv.FormatInt(after, 10)}}
	return q, c.ask(ctx, RouteParked, []string{plane}, query, nil, &q)
}

// Release passes a parked request on.
func (c *Client) Release(ctx context.Context, plane string, id int64) error {
	return c.call(ctx, RouteRelease, []string{plane, strconv.FormatInt(id, 10)}, nil, nil)
}

// Pass passes a parked request on, and gives the code of the API server's answer: 0 if
// there is none.
func (c *Client) Pass(ctx context.Context, plane string, id int64) (code int, err error) {
	var a Answer
	err = c.call(ctx, RoutePass, []string{plane, strconv.FormatInt(id, 10)}, nil, &a)
	return a.Code, err
}

// Refuse answers a parked request with an error of the API server.
func (c *Client) Refuse(ctx context.Context, plane string, id int64, r Refusal) error {
	return c.call(ctx, RouteRefuse, []string{plane, strconv.FormatInt(id, 10)}, r, nil)
}

// LockStep has writes pass one at a time, or ends that.
func (c *Client) LockStep(ctx context.Context, plane string, on bool) error {
	return c.call(ctx, RouteLockStep, []string{plane}, LockStep{on}, nil)
}

// Seen waits until all parts of a plane have seen what was written before.
func (c *Client) Seen(ctx context.Context, plane string) error {
	return c.call(ctx, RouteSeen, []string{plane}, nil, nil)
}

// Steer replaces what the scheduler may decide.
func (c *Client) Steer(ctx context.Context, plane string, to Steer) error {
	return c.call(ctx, RouteSteer, []string{plane}, to, nil)
}

// Turns waits until the generation of the scheduler's turns is above after, and
// gives them: at once for 0.
func (c *Client) Turns(ctx context.Context, plane string, after int64) (Turns, error) {
	var t Turns
	query := url.Values{QueryAfter: {strconv.FormatInt(after, 10)}}
	return t, c.ask(ctx, RouteTurns, []string{plane}, query, nil, &t)
}

// RunControllers starts kube-controller-manager alone, against another API server.
func (c *Client) RunControllers(ctx context.Context, want Controllers) (Running, error) {
	var running Running
	return running, c.call(ctx, RouteRunControllers, nil, want, &running)
}

// StopControllers ends what RunControllers started.
func (c *Client) StopControllers(ctx context.Context, id int64) error {
	return c.call(ctx, RouteStopControllers, []string{strconv.FormatInt(id, 10)}, nil, nil)
}

// SetUsage replaces what the metrics API says.
func (c *Client) SetUsage(ctx context.Context, plane string, usage ...Usage) error {
	if usage == nil {
		usage = []Usage{}
	}
	return c.call(ctx, RouteUsage, []string{plane}, usage, nil)
}

// SetRules replaces the kubelets' rules, which are YAML, before the built-in ones.
func (c *Client) SetRules(ctx context.Context, plane, rules string) error {
	return c.call(ctx, RouteRules, []string{plane}, Rules{rules}, nil)
}

// AddNode adds a Node object with a kubelet.
func (c *Client) AddNode(ctx context.Context, plane string, node json.RawMessage) error {
	return c.call(ctx, RouteAddNode, []string{plane}, node, nil)
}

// FailNode stops a node's kubelet, as if the machine were lost.
func (c *Client) FailNode(ctx context.Context, plane, node string) error {
	return c.call(ctx, RouteFailNode, []string{plane, node}, nil, nil)
}

// HealNode starts a node's kubelet again.
func (c *Client) HealNode(ctx context.Context, plane, node string) error {
	return c.call(ctx, RouteHealNode, []string{plane, node}, nil, nil)
}

// Deschedule runs one cycle of the descheduler with a DeschedulerPolicy, as YAML, or with
// the spec's if that is empty.
func (c *Client) Deschedule(ctx context.Context, plane, policy string) (Descheduled, error) {
	var d Descheduled
	return d, c.call(ctx, RouteDeschedule, []string{plane}, Deschedule{policy}, &d)
}

// call is ask without a query.
func (c *Client) call(ctx context.Context, route Route, segments []string, in, out any) error {
	return c.ask(ctx, route, segments, nil, in, out)
}

// ask sends in as JSON, if there is one, and reads the answer into out.
func (c *Client) ask(ctx context.Context, route Route, segments []string, query url.Values, in, out any) error {
	response, err := c.send(ctx, route, segments, query, in)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if out == nil {
		return nil
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	switch {
	case err != nil:
	case len(answer) > answerMax:
		err = fmt.Errorf("the answer has more than %d bytes", answerMax)
	default:
		err = json.Unmarshal(answer, out)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", route, err)
	}
	return nil
}

// send gives a successful response, whose body is the caller's to close.
func (c *Client) send(ctx context.Context, route Route, segments []string, query url.Values, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", route, err)
		}
		body = bytes.NewReader(text)
	}
	address := c.base + route.Path(segments...)
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, route.Method(), address, body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", route, err)
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	request.Header.Set(HeaderVersion, Version)
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // the route says where, without the socket
		}
		return nil, fmt.Errorf("%s: %w", route, err)
	}
	if response.StatusCode >= 200 && response.StatusCode <= 299 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, &Error{route, response.StatusCode, said(response)}
}

// said is what an answer that is no success says.
func said(response *http.Response) string {
	const longest = 64 << 10
	text, _ := io.ReadAll(io.LimitReader(response.Body, longest))
	var f Failure
	if json.Unmarshal(text, &f) == nil && f.Message != "" {
		return f.Message
	}
	if line := strings.TrimSpace(string(text)); line != "" && len(line) <= 200 {
		return line
	}
	return http.StatusText(response.StatusCode)
}
