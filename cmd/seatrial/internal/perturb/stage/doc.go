// Package stage is where one run happens: a plane that was reset, the controller
// behind the proxy, the users' steps, and a fault that waits for its trigger.
//
// One goroutine looks at each event of the plane's history, in order, and only
// then lets the engine deliver it. So a fault sees what fires it before the
// controller can.
package stage
