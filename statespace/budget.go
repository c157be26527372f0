package statespace

// fits reports whether the memory budget allows the chunk to be committed, with
// so many states and edges after it. Sizes follow from the states and their
// successors alone and not from what the allocator does or which worker found
// what, so that a run ends at the same state with any number of workers.
func (s *search) fits(states, entered, edges int) bool {
	before := s.buffers
	s.buffers = max(s.buffers, int64(entered)*s.successorBytes())
	if s.options.MaxMemory > 0 && s.bytesWith(states, edges) > s.options.MaxMemory {
		s.buffers = before
		return false
	}
	return true
}

// successorBytes is what a chunk holds at most per successor.
func (s *search) successorBytes() int64 { return int64(8*s.queue.words) + 2*16 + 5*4 }

// chunkSuccessors is how many successors a chunk should have: fewer under a
// small memory budget, of which buffers get a sixteenth.
func (s *search) chunkSuccessors() int {
	const most = chunkBlocks * blockSuccessors
	if s.options.MaxMemory == 0 {
		return most
	}
	return int(min(most, s.options.MaxMemory/16/s.successorBytes()))
}

// bytesWith returns the engine's memory after growing to so many states and
// edges.
func (s *search) bytesWith(states, edges int) int64 {
	fresh := states - s.states
	total := int64(s.table.sizeFor(fresh))*bucketBytes + s.queue.bytesFor(fresh) + pagesBytes(states, 4) + s.buffers
	if s.graph != nil {
		total += s.graph.bytesFor(states, edges)
	}
	return total
}

// bytes returns the engine's memory now.
func (s *search) bytes() int64 { return s.bytesWith(s.states, s.edges) }
