package process

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestOutputLines(t *testing.T) {
	cases := []struct {
		name string
		o    Output
		want []string
	}{
		{"nothing", Output{}, nil},
		{"one", Output{First: []byte("a"), Bytes: 1}, []string{"a"}},
		{"ends", Output{First: []byte("a\r\n\nb\n"), Bytes: 6}, []string{"a", "", "b"}},
		{"both ends meet", Output{First: []byte("a\nbe"), Last: []byte("fore\n"), Bytes: 9}, []string{"a", "before"}},
		{"a gap", Output{First: []byte("a\nbe"), Last: []byte("ter\nz"), Bytes: 1009}, []string{"a", "be", "[1000 bytes left out]", "ter", "z"}},
	}
	for _, c := range cases {
		if got := c.o.Lines(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// FuzzRecorder: however an output is cut into pieces, both ends are kept.
func FuzzRecorder(f *testing.F) {
	f.Add(10, 3, 7)
	f.Add(FirstBytes, 1000, 7)
	f.Add(FirstBytes+LastBytes, 65536, 1)
	f.Add(FirstBytes+LastBytes+1, 65535, 3)
	f.Add(3*(FirstBytes+LastBytes), LastBytes+FirstBytes+5, 11)
	f.Fuzz(func(t *testing.T, size, piece, step int) {
		if size < 0 || size > 1<<21 || piece < 1 || step < 1 || size/piece > 1<<12 {
			return
		}
		all := make([]byte, size)
		for i := range all {
			all[i] = byte(i * step / 3)
		}
		r := newRecorder(nil)
		for chunk := range slices.Chunk(all, piece) {
			r.add(chunk)
		}
		o := r.taken()
		first := all[:min(size, FirstBytes)]
		rest := all[len(first):]
		last := rest[max(0, len(rest)-LastBytes):]
		if !bytes.Equal(o.First, first) || !bytes.Equal(o.Last, last) || o.Bytes != int64(size) {
			t.Errorf("%d bytes in pieces of %d: %d and %d of %d are kept, or others", size, piece, len(o.First), len(o.Last), o.Bytes)
		}
	})
}

func TestEnvironment(t *testing.T) {
	own := []string{
		"PATH=/bin", "HOME=/home/me", "KUBECONFIG=/mine", "KUBERNETES_SERVICE_HOST=10.0.0.1", "KUBERNETES_SERVICE_PORT=443",
		"KUBERNETES_PORT_443_TCP=tcp://10.0.0.1:443", "KUBERNETES_MASTER=http://x", "XDG_CACHE_HOME=/c", "LANG=C", "broken", "=C:=x", "A=b=c",
	}
	want := "A=b=c HOME=/h KUBECONFIG=/k LANG=C PATH=/bin SEATRIAL=true WATCH_NAMESPACE=default"
	if got := strings.Join(environment(own, "/k", "/h", map[string]string{"WATCH_NAMESPACE": "default"}), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want = "HOME=/root KUBECONFIG=/k NO_PROXY=example.com,127.0.0.1,localhost,::1 SEATRIAL=true https_proxy=http://proxy no_proxy=127.0.0.1,localhost,::1"
	if got := strings.Join(environment([]string{"https_proxy=http://proxy", "NO_PROXY=example.com"}, "/k", "/h", map[string]string{"HOME": "/root"}), " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
