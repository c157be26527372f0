package oracle_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/oracle"
)

// TestUnreached: what an operator does not get of pods is told from what it prints, and not from trouble with the API
// server.
func TestUnreached(t *testing.T) {
	const pod = "{kind: Pod, metadata: {name: a-0}, status: {podIP: 10.244.0.1}}\n{kind: Service, metadata: {name: a}, spec: {clusterIP: 10.96.0.7}}\n"
	for _, c := range []struct{ output, want string }{
		{`dial tcp 10.244.0.1:6379: connect: connection refused`, "tcp"},
		{`lookup a-0.a.default.svc.cluster.local: no such host`, "tcp"},
		{`java.net.UnknownHostException: a-0`, "tcp"},
		{`level=error msg="Get info failed, pod ip: 10.244.0.1"`, "tcp"},
		{`ERROR cannot read the state {"url": "http://10.96.0.7:8080"}`, "tcp"},
		{`ERROR failed to get members {"host": "a.default.svc:2181"}`, "tcp"},
		{`error dialing backend: dial tcp 10.0.0.1:10250: connect: connection refused`, "exec"},
		{`pods a-0: this control plane has no machines: no container runs, so that there is nothing for "exec" to reach`, "exec"},
		{"unable to upgrade connection: container not found\ndial tcp 10.244.0.1:1: i/o timeout", "exec tcp"},
		{`Get "https://127.0.0.1:6443/api": dial tcp 127.0.0.1:6443: connect: connection refused`, ""},
		{`level=error msg="Get info failed, pod ip: 10.244.0.2"`, ""},
		{`the address of the pod is 10.244.0.1`, ""},
		{`failed to renew lease: context deadline exceeded`, ""},
		{"", ""},
	} {
		says := fmt.Sprintf("{kind: Thing, metadata: {name: a}, status: {message: %q}}\n", c.output)
		for where, step := range map[string]*oracle.Step{
			"printed": {Output: c.output, End: state(t, pod)}, "in the status": {End: state(t, says+pod)},
		} {
			all := oracle.Unreached(step, key)
			if got := strings.Join(slices.Sorted(maps.Keys(all)), " "); got != c.want && (where == "printed" || !strings.Contains(c.want, " ")) {
				t.Errorf("%s %s: %q, want %q", c.output, where, got, c.want)
			}
		}
	}
}
