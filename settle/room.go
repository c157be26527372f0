package settle

// room makes room on the stack of a goroutine for what a request takes: at once, where little is on it that
// has to be copied, and not in two or three steps. Goroutines of a reconcile begin with 2 KB, and do not live
// for long.
//
//go:noinline
func room() {
	var b [roomSize]byte
	touch(&b)
}

const roomSize = 5 << 10

//go:noinline
func touch(b *[roomSize]byte) { b[0]++ }
