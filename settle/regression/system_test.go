package regression

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/seatrial/seatrial/settle"
)

// renting has a room in a System for what is there, and asks for it as often as it has no answer. The System
// counts the rooms by this first number.
func renting(first int64) settle.Config {
	c := keepers(false, "p")
	c.Systems = []settle.System{settle.NewSystemInCluster("hotel", int64(0), func(cluster client.Reader, rooms int64, guest client.ObjectKey) (int64, int64, error) {
		switch err := cluster.Get(context.Background(), guest, &corev1.ConfigMap{}); {
		case guest.Name == "nobody":
			panic("at the disco")
		case err != nil:
			return 0, 0, errors.New("who is that?")
		}
		rooms = max(rooms+1, first)
		return rooms, rooms, nil
	})}
	c.Processes[0].Setup = func(mgr ctrl.Manager) error {
		hotel, err := settle.Connect(mgr, "hotel")
		if err != nil {
			return err
		}
		return ctrl.NewControllerManagedBy(mgr).Named("p").For(&corev1.ConfigMap{}).Complete(reconcile.Func(func(ctx context.Context, q reconcile.Request) (reconcile.Result, error) {
			var m corev1.ConfigMap
			if err := mgr.GetClient().Get(ctx, q.NamespacedName, &m); err != nil || m.Data["room"] != "" {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			var room int64
			if err := hotel.Ask(ctx, q.NamespacedName, &room); err != nil || first > 1 {
				return reconcile.Result{RequeueAfter: time.Second}, err // for ever
			}
			m.Data = map[string]string{"room": fmt.Sprint(room)}
			return reconcile.Result{}, mgr.GetClient().Update(ctx, &m)
		}))
	}
	c.Match = func(_ context.Context, r client.Reader, m client.Object) error {
		var rooms int64
		err := settle.Look(r, "hotel", &rooms)
		if room := m.(*corev1.ConfigMap).Data["room"]; err == nil && (rooms != 1 || room != "1") {
			err = fmt.Errorf("it has %q of %d rooms", room, rooms)
		}
		return err
	}
	return c
}

// TestSystemPanics: who panics is named.
func TestSystemPanics(t *testing.T) {
	c := renting(1)
	c.Desired[0].SetName("nobody")
	got := fails(t, c, func(r *Regression) {
		r.Create(0)
		r.End()
	})
	if want := "p default/nobody: reconcile panics: System hotel panics: at the disco"; !strings.HasPrefix(got, want) {
		t.Errorf("it fails by %q, want %q", got, want)
	}
}

// TestSystems: requests to a System are let through as others are, and its state is what properties see.
func TestSystems(t *testing.T) {
	rents := func(then func(*Regression)) func(*Regression) {
		return func(r *Regression) {
			r.Create(0)
			r.Reconcile("p default/x")
			r.Next("p default/x", "get configmaps", Done)
			then(r)
			r.End()
		}
	}
	hotel := func(a Answer) func(*Regression) {
		return rents(func(r *Regression) { r.Next("p default/x", "hotel", a) })
	}
	written, never := renting(1), renting(1)
	written.Writes = map[string]func(*settle.Write) error{"what is paid": func(w *settle.Write) error {
		var rooms int64
		if err := settle.Look(w.Cluster, "hotel", &rooms); err != nil || rooms > 0 {
			return errors.Join(err, fmt.Errorf("%d rooms are", rooms))
		}
		return nil
	}}
	never.Always = map[string]func(context.Context, client.Reader) error{"free": func(_ context.Context, r client.Reader) error {
		return settle.Look(r, "motel", nil)
	}}
	for _, test := range []struct {
		name   string
		config settle.Config
		script func(*Regression)
		want   string
	}{
		{"it is answered", renting(1), hotel(Done), ""},
		{"it never comes there, and is made again", renting(1), hotel(Failed), ""},
		{"the answer is lost", renting(1), hotel(Lost), `default/x: it has "2" of 2 rooms`},
		{"the process is killed before", renting(1), rents(func(r *Regression) { r.Kill("p") }), ""},
		{"the process is killed after", renting(1), rents(func(r *Regression) { r.Next("p default/x", "hotel", Done); r.Kill("p") }), `default/x: it has "2" of 2 rooms`},
		{"it is late", renting(1), rents(func(r *Regression) { r.Kill("p"); r.Late("hotel") }), `default/x: it has "2" of 2 rooms`},
		{"it reads what there is", renting(1), rents(func(r *Regression) { r.Delete("configmaps", "default/x") }), ""},
		{"who makes writes sees it", written, hotel(Done), "what is paid: p: update ConfigMap default/x: 1 rooms are"},
		{"there is none of this name", never, hotel(Done), `free: settle: Look: there is no System "motel" in the Config`},
		{"its counts are none in a loop", renting(int64(settle.NewCount("rooms"))), func(r *Regression) {
			r.Create(0)
			r.Loop(func() {
				r.Reconcile("p default/x")
				r.Next("p default/x", "hotel", Done)
			})
		}, fmt.Sprintf("it goes on for ever: default/x: it has \"\" of %d rooms", settle.NewCount("rooms")+2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fails(t, test.config, test.script); got != test.want {
				t.Errorf("it fails by %q", got)
			}
		})
	}
}
