package kubelet

import (
	"fmt"
	"net/netip"
)

// Addresses of nodes and pods follow from a node's number alone: node n is
// 192.168.n.1 and following, its pods are in 10.244.n.0/24.
const (
	numbersMax = 12 * 256
	hostsMax   = 254
)

// nodeAddress is the address of node number n, from 0.
func nodeAddress(n int) string { return fmt.Sprintf("192.168.%d.%d", n/hostsMax, n%hostsMax+1) }

// podRange is the network of the pods of node number n.
func podRange(n int) string { return fmt.Sprintf("10.%d.%d.0/24", 244+n/256, n%256) }

// numberOf is the number of the node with such a network of pods.
func numberOf(podRange string) (n int, ok bool) {
	prefix, err := netip.ParsePrefix(podRange)
	if err != nil || !prefix.Addr().Is4() || prefix.Bits() != 24 {
		return 0, false
	}
	a := prefix.Addr().As4()
	n = (int(a[1])-244)*256 + int(a[2])
	return n, a[0] == 10 && a[1] >= 244 && a[3] == 0
}

// addresses hands out the addresses of a node's pods: the next one that is free,
// round and round, as container networks do. Beyond 254 pods they are of 172.16.0.0/12,
// which all nodes share.
type addresses struct {
	node  int
	last  int
	taken map[string]bool
}

func (a *addresses) take(shared *addresses) string {
	for i := range hostsMax {
		host := (a.last+i)%hostsMax + 1
		ip := fmt.Sprintf("10.%d.%d.%d", 244+a.node/256, a.node%256, host)
		if !a.taken[ip] {
			a.last = host
			a.taken[ip] = true
			return ip
		}
	}
	for i := 1; ; i++ {
		ip := fmt.Sprintf("172.%d.%d.%d", 16+i>>16, i>>8&255, i&255)
		if !shared.taken[ip] {
			shared.taken[ip] = true
			return ip
		}
	}
}
