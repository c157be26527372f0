// Package store is the etcd of a process and the key spaces in it: one for each
// plane, with a baseline to which it can be put back, and its ordered history.
package store

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

const (
	// requestBytesMax and operationsMax bound one transaction: a restore is one,
	// whatever it has to put back.
	requestBytesMax = 64 << 20
	operationsMax   = 1 << 20
	// quotaBytes is when etcd stops taking writes: history is never compacted.
	quotaBytes = 4 << 30
)

func init() {
	// The default preallocates 128 MB of memory file system before the first write.
	wal.SegmentSizeBytes = 1 << 20
}

// Etcd is a single member that listens on a unix socket and keeps nothing that
// has to survive the process.
type Etcd struct {
	server *embed.Etcd
	client *clientv3.Client
	// Endpoint is where clients connect: a unix socket's URL.
	Endpoint string
}

// fatal has etcd, which ends its process when it cannot write, end it in our way.
type fatal func(reason string)

// OnWrite is what follows a message that nothing can follow.
func (f fatal) OnWrite(entry *zapcore.CheckedEntry, fields []zapcore.Field) {
	reason := "etcd: " + entry.Message
	for _, field := range fields {
		if err, ok := field.Interface.(error); ok {
			reason += ": " + err.Error()
		}
	}
	f(reason)
}

// Start starts etcd with its files in a directory and waits until it serves. When
// it cannot go on, it calls dies, which does not return.
func Start(ctx context.Context, directory string, dies func(reason string)) (*Etcd, error) {
	endpoint := "unix://" + filepath.Join(directory, "etcd.sock")
	logger := zap.NewNop().WithOptions(zap.WithFatalHook(fatal(dies)), zap.WithPanicHook(fatal(dies)))
	config := embed.NewConfig()
	config.Dir = filepath.Join(directory, "etcd")
	config.UnsafeNoFsync = true
	config.ZapLoggerBuilder = embed.NewZapLoggerBuilder(logger)
	// A single member waits out an election: in tenths of what is usual.
	config.TickMs, config.ElectionMs = 10, 100
	config.MaxTxnOps, config.MaxRequestBytes = operationsMax, requestBytesMax
	config.QuotaBackendBytes = quotaBytes
	config.BackendBatchInterval = 100 * time.Millisecond
	config.EnableGRPCGateway = false

	nobody := url.URL{Scheme: "http", Host: "127.0.0.1:0"} // never dialled
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Path: filepath.Join(directory, "etcd.sock")}}
	config.ListenPeerUrls = []url.URL{{Scheme: "unix", Path: filepath.Join(directory, "peer.sock")}}
	config.AdvertiseClientUrls = []url.URL{nobody}
	config.AdvertisePeerUrls = []url.URL{nobody}
	config.InitialCluster = config.Name + "=" + nobody.String()

	server, err := embed.StartEtcd(config)
	if err != nil {
		return nil, fmt.Errorf("start etcd: %w", err)
	}
	select {
	case <-server.Server.ReadyNotify():
	case err := <-server.Err():
		return nil, fmt.Errorf("start etcd: %w", err)
	case <-ctx.Done():
		server.Server.HardStop()
		return nil, context.Cause(ctx)
	}
	return &Etcd{server: server, client: v3client.New(server.Server), Endpoint: endpoint}, nil
}

// Revision is the newest one.
func (e *Etcd) Revision() int64 { return e.server.Server.KV().Rev() }

// Failed tells that etcd ended by itself: a full disk, for example.
func (e *Etcd) Failed() <-chan error { return e.server.Err() }
