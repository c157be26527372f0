// Package apiproxy stands between clients and the API server and decides which
// of their writes pass, and when. A [Gate] parks the requests that match what is
// held; each is then released or refused. In lock-step writes pass one at a time.
//
// The gate sits next to the wire: as an [http.RoundTripper] it goes inside
// whatever adds credentials, and what it lets pass it passes on unchanged.
// It holds only what writes. Reads, watches, dry runs and reviews always pass.
package apiproxy
