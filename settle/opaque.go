package settle

import (
	"fmt"
	"regexp"
)

// opaque is an error if a reconcile that has ended does something else with other generated names,
// which are in the same order: then they cannot be renamed.
func (p *program) opaque(controller int, f flight, was outcome) error {
	server := p.asks[controller].server
	var numbers []uint64
	for _, t := range server.Tokens([]byte(f.request.Namespace + "/" + f.request.Name)) {
		numbers = append(numbers, t.Number)
	}
	for _, a := range f.log {
		numbers = append(numbers, a.tokens...)
	}
	r := server.Shifted(numbers)
	if r == nil {
		return nil
	}
	other := flight{request: renameRequest(f.request, r)}
	for _, a := range f.log {
		renamed, err := renameAnswer(server, a, r)
		if err != nil {
			return err
		}
		other.log = append(other.log, &renamed)
	}
	was.memory = r.Text(was.memory)
	is, err := p.once(controller, other, clock)
	if err == nil {
		err = differ(&was, &is)
	}
	if err != nil {
		return fmt.Errorf("what the reconcile does depends on the letters of generated names: with others in the same order, %w", err)
	}
	return nil
}

// drawnLike is what generated names end like.
var drawnLike = regexp.MustCompile(`x\d{4}(\D|$)`)

// namesLike tells whether users have names like generated ones.
func (c *Config) namesLike() bool {
	s := &scripted{scheme: c.Scheme}
	for _, o := range append(append(c.Objects[:0:0], c.Objects...), c.Desired...) {
		if text, err := s.body(o); err == nil && drawnLike.Match(text) { // what is wrong is said later
			return true
		}
	}
	return drawnLike.MatchString(fmt.Sprint(c.Vary))
}
