package model

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	schedulerconfig "k8s.io/kubernetes/pkg/scheduler/apis/config"
)

// Question is what real code is asked.
type Question uint8

// The questions whose answers are remembered.
const (
	AskSchedule Question = iota
	AskRoom
	AskPreempt
	AskDeschedule
	AskDeployment
	AskAutoscaler
	AskAdmission
	AskBudget
	AskVictims
	questions
)

// String says what is asked, and about what.
func (q Question) String() string {
	return [...]string{
		"the scheduler", "the scheduler for room", "the scheduler for preemptions", "the descheduler",
		"the Deployment controller", "the autoscaler", "the kubelet for admission", "the disruption controller", "the ReplicaSet controller for victims",
	}[q]
}

// Memo remembers what real code answered, by everything that the question reads:
// the content of the World, too, so that the Worlds of one input, of any size,
// may share one. An answer is a function of its key, so nothing depends on what
// is forgotten, or on who asked first. It is safe for concurrent use.
type Memo struct {
	shards [memoShards]shard
	seed   maphash.Seed
	// most is how many bytes a shard may hold.
	most  int
	clock func() time.Duration

	mu           sync.Mutex
	configs      map[*schedulerconfig.KubeSchedulerConfiguration]int
	schedulers   map[schedulerKey]*schedulers
	deschedulers map[string]*deschedulers
}

const (
	memoShards = 64
	// memoBytes is how much a Memo holds unless it is told less.
	memoBytes = 512 << 20
	// answerBytes is what an answer takes, beside its key.
	answerBytes = 512
)

type shard struct {
	mu      sync.RWMutex
	answers map[string]answer
	held    int

	asked, missed, spent [questions]atomic.Int64
}

// answer is what was said, and in which way it is not exact.
type answer struct {
	value any
	doubt
}

// doubt is what an answer does to the verdicts that rest on it.
type doubt struct {
	sampled, partial bool
	err              error
}

// NewMemo makes a Memo that holds at most so many bytes, about; 0 stands for a
// sensible number. The clock, which may be nil, is for Tallies alone.
func NewMemo(bytes int64, clock func() time.Duration) *Memo {
	if bytes <= 0 || bytes > memoBytes {
		bytes = memoBytes
	}
	if clock == nil {
		clock = func() time.Duration { return 0 }
	}
	m := &Memo{
		seed: maphash.MakeSeed(), most: int(bytes / memoShards), clock: clock,
		configs: map[*schedulerconfig.KubeSchedulerConfiguration]int{}, schedulers: map[schedulerKey]*schedulers{}, deschedulers: map[string]*deschedulers{},
	}
	for i := range m.shards {
		m.shards[i].answers = map[string]answer{}
	}
	return m
}

// remember returns the answer for a key, which begins with the question's world,
// asking where there is none.
func (m *Memo) remember(q Question, key []byte, ask func(*doubt) any) answer {
	s := &m.shards[maphash.Bytes(m.seed, key)%memoShards]
	s.asked[q].Add(1)
	s.mu.RLock()
	a, ok := s.answers[string(key)]
	s.mu.RUnlock()
	if ok {
		return a
	}
	return m.miss(s, q, key, ask)
}

func (m *Memo) miss(s *shard, q Question, key []byte, ask func(*doubt) any) answer {
	var a answer
	began := m.clock()
	a.value = ask(&a.doubt)
	s.missed[q].Add(1)
	s.spent[q].Add(int64(m.clock() - began))
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.answers[string(key)]; ok {
		return have
	}
	if s.held += len(key) + answerBytes; s.held > m.most {
		clear(s.answers)
		s.held = len(key) + answerBytes
	}
	s.answers[string(key)] = a
	return a
}

// Tally is how often a question was asked, how often real code had to be, and
// how long that took.
type Tally struct {
	Question      Question
	Asked, Missed int64
	Spent         time.Duration
}

// Tallies are those of the questions that were asked.
func (m *Memo) Tallies() []Tally {
	var out []Tally
	for q := range questions {
		t := Tally{Question: q}
		for i := range m.shards {
			s := &m.shards[i]
			t.Asked, t.Missed, t.Spent = t.Asked+s.asked[q].Load(), t.Missed+s.missed[q].Load(), t.Spent+time.Duration(s.spent[q].Load())
		}
		if t.Asked > 0 {
			out = append(out, t)
		}
	}
	return out
}
