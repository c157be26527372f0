package apiproxy

import (
	"context"
	"crypto/subtle"
	"net/http"
	"strings"
)

// oursKey is under what a request's context says that it goes upstream with the
// server's credential.
type oursKey struct{}

// door lets requests in, and says who they are by.
type door struct {
	token   string
	options ServerOptions
	next    http.Handler
}

func (d *door) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	who, ours := d.options.Impersonate, true
	bearer := bearerOf(req)
	switch {
	case req.TLS != nil && len(req.TLS.PeerCertificates) > 0:
		subject := req.TLS.PeerCertificates[0].Subject
		who = &Identity{User: subject.CommonName, Groups: subject.Organization}
	case bearer == "":
		writeStatus(w, http.StatusUnauthorized, "", "Unauthorized")
		return
	case subtle.ConstantTimeCompare([]byte(bearer), []byte(d.token)) == 1:
	default:
		who, ours = nil, false
	}
	req = req.WithContext(context.WithValue(req.Context(), oursKey{}, ours))
	for name := range req.Header {
		switch {
		case strings.HasPrefix(name, "X-Remote-"),
			strings.HasPrefix(name, "Impersonate-") && who != nil,
			name == "Authorization" && ours:
			delete(req.Header, name)
		}
	}
	if who != nil {
		req.Header.Set("Impersonate-User", who.User)
		for _, group := range who.Groups {
			req.Header.Add("Impersonate-Group", group)
		}
	}
	d.next.ServeHTTP(w, req)
}

// protocolToken begins the WebSocket protocol that has a token in it, for clients
// that cannot set headers (k8s.io/apiserver/pkg/authentication/request/websocket).
const protocolToken = "base64url.bearer.authorization.k8s.io."

// bearerOf is the token that a request bears. One within a WebSocket protocol is
// left to the API server.
func bearerOf(req *http.Request) string {
	scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") {
		return strings.TrimSpace(token)
	}
	if upgrades(req) && strings.Contains(req.Header.Get("Sec-Websocket-Protocol"), protocolToken) {
		return protocolToken
	}
	return ""
}

// upgrades tells whether the request asks for another protocol on its connection:
// SPDY or WebSocket, for exec, attach and port-forward.
func upgrades(req *http.Request) bool {
	for _, value := range req.Header.Values("Connection") {
		for option := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(option), "upgrade") {
				return req.Header.Get("Upgrade") != ""
			}
		}
	}
	return false
}
