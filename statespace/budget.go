package statespace

// fits reports whether the memory budget allows the chunk's open successors to
// be entered, were they all fresh. Sizes follow from the states alone and not
// from what the allocator does, so that a run ends at the same state with any
// number of workers.
func (s *search) fits(open, edges int) bool {
	before := s.buffers
	s.buffers = max(s.buffers, int64(open)*s.successorBytes())
	if s.options.MaxMemory > 0 && s.bytesWith(open, edges) > s.options.MaxMemory {
		s.buffers = before
		return false
	}
	return true
}

// successorBytes is what a chunk holds per open successor.
func (s *search) successorBytes() int64 { return int64(8*s.queue.words) + 16 + 5*4 }

// chunkSuccessors is how many successors a chunk should have: fewer under a
// small memory budget, of which buffers get a sixteenth.
func (s *search) chunkSuccessors() int {
	const most = chunkBlocks * blockSuccessors
	if s.options.MaxMemory == 0 {
		return most
	}
	return int(min(most, s.options.MaxMemory/16/s.successorBytes()))
}

// bytesWith returns the engine's memory after entering open more states and
// with edges edges in the graph.
func (s *search) bytesWith(open, edges int) int64 {
	total := int64(s.table.sizeFor(open))*bucketBytes + s.queue.bytesFor(open) +
		pagesBytes(s.states+open, 4) + s.buffers
	if s.graph != nil {
		total += s.graph.bytesFor(s.states+open, edges)
	}
	return total
}

// bytes returns the engine's memory now.
func (s *search) bytes() int64 {
	total := s.table.bytes() + s.queue.bytes() + s.parents.bytes() + s.buffers
	if s.graph != nil {
		total += s.graph.bytesFor(s.states, s.edges)
	}
	return total
}
