package kubestate

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
)

// Watch is a request to watch that the API server has understood. It is opened once, and
// then asked what it delivers of any History; many may do so at once.
type Watch struct {
	objects *pool
	// asked are the resourceVersion and the options, and key what is watched: an
	// object, or a prefix that ends in a slash.
	asked storage.ListOptions
	key   string
}

// Notice is one thing that a watch delivers.
type Notice struct {
	Type watch.EventType
	// Object is as it is stored. That of a DELETED is the last that was seen, with
	// the resourceVersion of the write by which it went. It is nil for BOOKMARK and ERROR.
	Object *Object
	// Version is the resourceVersion of a BOOKMARK, and Initial tells that it is the
	// one behind the initial events.
	Version string
	Initial bool
	// Status says why there is an ERROR, after which nothing comes.
	Status *metav1.Status
}

// Open reads a request whose verb is watch: its resource, namespace and options. If it is
// not answered with events, there is no Watch but a Response.
func (s *Server) Open(r *Request) (*Watch, *Response) {
	query := maps.Clone(r.Options)
	if query == nil {
		query = map[string][]string{}
	}
	query.Set("watch", "true")
	other := *r
	other.Verb, other.Options = "watch", query
	tx := &transaction{objects: s.objects, read: map[string]*Object{}}
	a := &answer{header: http.Header{}}
	s.serve(a, &other, tx)
	if tx.watch == nil {
		return nil, a.response()
	}
	return tx.watch, nil
}

// Watch is part of storage.Interface: it notes what is asked for.
func (s *store) Watch(ctx context.Context, key string, opts storage.ListOptions) (watch.Interface, error) {
	if _, err := s.versioner.ParseResourceVersion(opts.ResourceVersion); err != nil {
		return nil, err
	}
	if opts.Recursive && !strings.HasSuffix(key, "/") {
		key += "/"
	}
	tx := transactionOf(ctx)
	tx.watch = &Watch{objects: tx.objects, asked: opts, key: key}
	return watch.NewEmptyWatch(), nil
}

// Start is what the watch delivers if it is opened now: with the State that there is, and
// the History that led to it. The position is that for Next.
//
// Without a version, or with "0", these are the objects that there are. kube-apiserver may
// give older ones for "0"; here they are always the newest.
func (w *Watch) Start(s State, h History) (notices []Notice, position uint64) {
	version, send := w.asked.ResourceVersion, w.asked.SendInitialEvents
	anywhere := version == "" || version == "0"
	switch {
	case send != nil && *send, send == nil && anywhere:
		notices = w.initial(s)
		if send != nil && w.asked.Predicate.AllowWatchBookmarks {
			notices = append(notices, Notice{Type: watch.Bookmark, Version: h.Version(), Initial: true})
		}
		return notices, h.position
	case anywhere:
		return nil, h.position
	}
	position, ok := h.Locate(version)
	if !ok {
		return []Notice{expired(version, h)}, h.position
	}
	return w.Next(h, position)
}

// Next is what the watch delivers of the events behind a position, and the position after
// them.
func (w *Watch) Next(h History, position uint64) ([]Notice, uint64) {
	if position < h.oldest {
		return []Notice{expired(listVersion(position), h)}, h.position
	}
	var notices []Notice
	for e := range h.Since(position) {
		if n, ok := w.See(e); ok {
			notices = append(notices, n)
		}
	}
	return notices, h.position
}

// Bookmark is the one that the watch gets now, false if it has not asked for any. A server
// sends them now and then.
func (w *Watch) Bookmark(h History) (Notice, bool) {
	return Notice{Type: watch.Bookmark, Version: h.Version()}, w.asked.Predicate.AllowWatchBookmarks
}

// See is what the watch delivers of one write; false for nothing. An object that comes to
// match what is selected is ADDED, and one that ceases to is DELETED.
func (w *Watch) See(e Event) (Notice, bool) {
	if !w.covers(e.Object.key) {
		return Notice{}, false
	}
	before := e.Old != nil && w.selects(e.Old)
	now := e.Type != watch.Deleted && w.selects(e.Object)
	switch {
	case now && before:
		return Notice{Type: watch.Modified, Object: e.Object}, true
	case now:
		return Notice{Type: watch.Added, Object: e.Object}, true
	case !before:
		return Notice{}, false
	case e.Type == watch.Deleted:
		return Notice{Type: watch.Deleted, Object: e.Object}, true
	}
	last, err := w.objects.versioned(e.Old, e.Object.meta.GetResourceVersion())
	return Notice{Type: watch.Deleted, Object: last}, err == nil
}

func (w *Watch) initial(s State) []Notice {
	var notices []Notice
	for o := range s.Under(w.key) {
		if w.covers(o.key) && w.selects(o) {
			notices = append(notices, Notice{Type: watch.Added, Object: o})
		}
	}
	return notices
}

// covers tells whether what is under key is watched, if it is selected.
func (w *Watch) covers(key string) bool {
	return key == w.key || w.asked.Recursive && strings.HasPrefix(key, w.key)
}

func (w *Watch) selects(o *Object) bool {
	match, err := w.asked.Predicate.Matches(o.value)
	return err == nil && match
}

// expired says that a version is too old, as kube-apiserver does.
func expired(version string, h History) Notice {
	err := apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %s (%s)", version, listVersion(h.oldest)))
	err.ErrStatus.TypeMeta = metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}
	return Notice{Type: watch.Error, Status: &err.ErrStatus}
}
