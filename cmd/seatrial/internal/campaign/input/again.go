package input

import (
	"errors"
	"os"

	campaignschema "github.com/seatrial/seatrial/cmd/seatrial/internal/campaign/schema"
	"github.com/seatrial/seatrial/history"
)

// crdKind is that of CustomResourceDefinitions.
const crdKind = "CustomResourceDefinition"

// Again makes an input usable that was loaded and written down before: it checks what is run,
// compiles the oracles, and takes the seed's CustomResourceDefinition from Setup, if it is there.
func (i *Input) Again() error {
	if len(i.Controller.Command) == 0 {
		return errors.New("no command starts the operator: controller.command is empty")
	}
	if err := checkPlaceholders(&i.Controller); err != nil {
		return err
	}
	if _, err := history.DefaultMask().With(i.Mask...); err != nil {
		return err
	}
	for n := range i.Oracles {
		if err := i.Oracles[n].prepare(); err != nil {
			return err
		}
	}
	for _, o := range i.Setup.Objects {
		if o.Text("kind") != crdKind {
			continue
		}
		crd, err := campaignschema.Decode(o)
		if err == nil && of(crd, i.Seed) {
			return i.Define([]history.Object{o})
		}
	}
	return nil
}

// Operate has the operator started with another command, as a shell would split it: relative to
// the folder that one is in. It works where the other did, if there is such a folder.
func (i *Input) Operate(command string) error {
	words, err := Split(command)
	if err != nil {
		return err
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	words[0] = program(here, words[0])
	i.Controller.Command = words
	if is, err := os.Stat(i.Controller.Directory); err != nil || !is.IsDir() {
		i.Controller.Directory = here
	}
	return checkPlaceholders(&i.Controller)
}
