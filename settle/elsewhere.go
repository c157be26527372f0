package settle

import "github.com/seatrial/seatrial/settle/kubestate"

// Server is one that knows the kinds of a configuration: by it the actors of Environment see what there is in
// another cluster than that of an exploration, as in tests of package regression.
func (c *Config) Server() (*kubestate.Server, error) {
	definitions, err := c.definitions()
	if err != nil {
		return nil, err
	}
	return kubestate.NewServer(kubestate.Config{Definitions: definitions})
}
