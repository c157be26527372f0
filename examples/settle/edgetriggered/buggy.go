package edgetriggered

import ctrl "sigs.k8s.io/controller-runtime"

// Buggy waits for the next event.
func Buggy() ctrl.Result { return ctrl.Result{} }
