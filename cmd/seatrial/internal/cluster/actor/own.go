package actor

import (
	"github.com/seatrial/seatrial/cmd/seatrial/internal/cluster/model"
)

// own is an actor that the scenario declares.
type own struct {
	name   string
	speed  model.Speed
	writer model.Writer
}

// Own makes an actor of the scenario's own. Speed is Slow or Fast.
func Own(name string, speed model.Speed, writer model.Writer) model.Actor {
	return own{name, speed, writer}
}

// Name cannot be that of a built-in actor, which have no spaces.
func (o own) Name() string        { return "actor " + o.name }
func (o own) Title() string       { return o.name }
func (o own) Speed() model.Speed  { return o.speed }
func (o own) Verbs() []model.Verb { return o.writer.Verbs() }

// Scales is for World.OwnScales.
func (o own) Scales(i int) bool { return o.writer.Scales(i) }

func (o own) Steps(x *model.Turn) {
	for _, s := range o.writer.Writes(x) {
		if o.speed == model.Slow {
			s.Seconds = model.Ages // nobody can count on when
		}
		x.Emit(s)
	}
}
