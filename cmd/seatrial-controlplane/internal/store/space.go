package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/seatrial/seatrial/controlplane/admin"
)

// Space is the keys of one plane.
type Space struct {
	etcd *Etcd
	// prefix ends with a slash: without it /a would have the keys of /ab.
	prefix   string
	baseline map[string][]byte
}

// Space returns the key space of a plane with that prefix.
func (e *Etcd) Space(prefix string) *Space {
	return &Space{etcd: e, prefix: "/" + strings.Trim(prefix, "/") + "/"}
}

// Prefix is what an API server takes as its etcd prefix.
func (s *Space) Prefix() string { return strings.TrimSuffix(s.prefix, "/") }

// Revision is the newest revision of the process's etcd, which all spaces share.
func (s *Space) Revision() int64 { return s.etcd.Revision() }

// passing are keys that come and go by themselves and that nothing depends on: a
// restored one would have lost its etcd lease, and stay.
func (s *Space) passing(key string) bool {
	rest := strings.TrimPrefix(key, s.prefix)
	return strings.HasPrefix(rest, "events/") || strings.HasPrefix(rest, "leases/kube-system/apiserver-") ||
		strings.HasPrefix(rest, "masterleases/")
}

// Read is every key of the space with its value, and the revision they are of.
func (s *Space) Read(ctx context.Context) (map[string][]byte, int64, error) {
	answer, err := s.etcd.client.Get(ctx, s.prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, 0, fmt.Errorf("read %s: %w", s.prefix, err)
	}
	values := make(map[string][]byte, len(answer.Kvs))
	for _, kv := range answer.Kvs {
		values[string(kv.Key)] = kv.Value
	}
	return values, answer.Header.Revision, nil
}

// mark is a key that holds no object and that nobody watches but us.
const mark = "seatrial/mark"

// Mark writes a key that means nothing and returns its revision: whoever watches
// the space has seen everything before when it has seen that.
func (s *Space) Mark(ctx context.Context) (int64, error) {
	answer, err := s.etcd.client.Put(ctx, s.prefix+mark, "")
	if err != nil {
		return 0, fmt.Errorf("mark %s: %w", s.prefix, err)
	}
	return answer.Header.Revision, nil
}

// Count is the number of keys of the space, without those that pass.
func (s *Space) Count(ctx context.Context) (int, error) {
	answer, err := s.etcd.client.Get(ctx, s.prefix, clientv3.WithPrefix(), clientv3.WithKeysOnly())
	if err != nil {
		return 0, fmt.Errorf("count %s: %w", s.prefix, err)
	}
	count := 0
	for _, kv := range answer.Kvs {
		if !s.passing(string(kv.Key)) {
			count++
		}
	}
	return count, nil
}

// Keep makes what the space holds now its baseline, and returns its revision.
func (s *Space) Keep(ctx context.Context) (int64, error) {
	values, revision, err := s.Read(ctx)
	if err != nil {
		return 0, err
	}
	for key := range values {
		if s.passing(key) {
			delete(values, key)
		}
	}
	s.baseline = values
	values[s.prefix+mark] = nil
	return revision, nil
}

// Restore puts the space back to its baseline in one transaction, so that no
// watcher sees a half state. It is done when nothing differs: then the result
// says that nothing was changed.
func (s *Space) Restore(ctx context.Context) (admin.Reset, error) {
	if s.baseline == nil {
		return admin.Reset{}, errors.New("restore: there is no baseline yet")
	}
	values, revision, err := s.Read(ctx)
	if err != nil {
		return admin.Reset{}, err
	}
	done := admin.Reset{Revision: revision}
	var operations []clientv3.Op
	for key, value := range values {
		switch kept, ok := s.baseline[key]; {
		case ok && bytes.Equal(kept, value):
		case ok:
			operations = append(operations, clientv3.OpPut(key, string(kept)))
			done.Changed++
		default:
			operations = append(operations, clientv3.OpDelete(key))
			if !s.passing(key) {
				done.Deleted++
			}
		}
	}
	for key, kept := range s.baseline {
		if _, ok := values[key]; !ok {
			operations = append(operations, clientv3.OpPut(key, string(kept)))
			done.Restored++
		}
	}
	if len(operations) == 0 {
		return done, nil
	}
	answer, err := s.etcd.client.Txn(ctx).Then(operations...).Commit()
	if err != nil {
		return admin.Reset{}, fmt.Errorf("restore %d keys: %w", len(operations), err)
	}
	done.Revision = answer.Header.Revision
	return done, nil
}

// Clear removes every key of the space.
func (s *Space) Clear(ctx context.Context) error {
	if _, err := s.etcd.client.Delete(ctx, s.prefix, clientv3.WithPrefix()); err != nil {
		return fmt.Errorf("clear %s: %w", s.prefix, err)
	}
	return nil
}

// Write is one change of one key.
type Write struct {
	Revision int64
	Key      string
	// Value is nil when the key was deleted, Previous when it was created.
	Value, Previous []byte
}

// Watch sends the writes from a revision on, in order, until the context ends;
// the channel is closed then, or when etcd fails.
func (s *Space) Watch(ctx context.Context, from int64) <-chan []Write {
	out := make(chan []Write)
	watch := s.etcd.client.Watch(ctx, s.prefix, clientv3.WithPrefix(), clientv3.WithPrevKV(), clientv3.WithRev(from))
	go func() {
		defer close(out)
		for answer := range watch {
			if answer.Err() != nil {
				return
			}
			writes := make([]Write, 0, len(answer.Events))
			for _, e := range answer.Events {
				w := Write{Revision: e.Kv.ModRevision, Key: string(e.Kv.Key)}
				if e.Type == clientv3.EventTypePut {
					w.Value = e.Kv.Value
				}
				if e.PrevKv != nil {
					w.Previous = e.PrevKv.Value
				}
				writes = append(writes, w)
			}
			if len(writes) == 0 {
				continue
			}
			select {
			case out <- writes:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}
