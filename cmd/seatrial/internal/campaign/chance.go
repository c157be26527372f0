package campaign

// chanceTries is how often it is looked for what an operator may do by chance.
const chanceTries = 3

// chances is how often a root is looked for before it is said not to come again. An operator that writes where there is
// nothing to write, since it goes by an order that is another one each time, does so often, and not always; and that it
// has written is nothing that a busy machine makes up. That something is not there yet, is: once more has to show it.
func (f *Finding) chances() int {
	if name := f.Deviations[0].Oracle; name == "hot-loop" || name == "restart" {
		return chanceTries
	}
	return 1
}
