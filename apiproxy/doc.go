// Package apiproxy stands between clients and the API server. A [Gate] decides
// which writes of a plane's own components pass, and when; an [Engine] perturbs one
// controller: what it sees, and what becomes of its writes.
//
// Both sit next to the wire: as an [http.RoundTripper] they go inside whatever adds
// credentials.
//
// # The gate
//
// A gate parks the requests that match what is held; each is then released or
// refused. In lock-step writes pass one at a time. What it lets pass it passes on
// unchanged. It holds only what writes: reads, watches, dry runs and reviews always
// pass.
//
// # The engine
//
// An engine knows nothing of faults. Who drives it follows the history of the
// plane, says how far it has looked ([Engine.Reached]), sets limits, and answers
// when it is asked about a write. All that a controller can be shown of the past
// is a setting of limits, by the one order that all writes have, their revisions:
//
//   - A stream delivers what is not beyond its limit, and nothing that has not been
//     looked at: what fires a fault is found before the controller can react to it.
//   - A list that any version is good enough for is answered as of the limit.
//   - What a limit held is delivered when it is lifted, or its client lists anew.
//
// A controller that is started again is another [Incarnation], with limits of its
// own. A controller in the process of a test takes its RoundTripper; one that is a
// process of its own gets the kubeconfig of a [Server].
//
// To see revisions, the engine has the API server answer in JSON, whatever the
// client asks for: clients read what they are told it is. Bodies that clients send
// pass as they are, and are read as far as they say under which conditions a write
// is. Bodies in CBOR are refused as by an API server that has none of it, after
// which clients send JSON.
//
// What could be simpler: a get of an old version, which the API server does not
// have, is made of a list, and needs the permission for it. And the queue of a
// stream that is held grows in memory, as the end of the stream would not be seen
// otherwise; it is bounded.
package apiproxy
