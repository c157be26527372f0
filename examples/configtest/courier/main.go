// Courier brings parcels; it is told by a file in JSON. Its tests say which parameters they are about.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

// Config is all that it is told.
type Config struct {
	Couriers int    `json:"couriers"`
	Load     int    `json:"load"`
	Greeting string `json:"greeting"`
}

// Default is what holds where the file says nothing.
func Default() *Config { return &Config{Couriers: 3, Load: 4, Greeting: "Hello"} }

// Load reads a file above the defaults.
func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := Default()
	return c, json.Unmarshal(text, c)
}

// ways is how often the couriers go for some parcels. It has a mistake: what is left over stays.
func ways(c *Config, parcels int) int { return parcels / (c.Couriers * c.Load) }

var letter = template.Must(template.New("letter").Parse("{{.Greeting}}, we are on the way."))

// greeting is made by a template, which reads by reflection: nobody sees that.
func greeting(c *Config) (string, error) {
	var b strings.Builder
	err := letter.Execute(&b, c)
	return b.String(), err
}

func main() {
	c, err := Load(os.Getenv("COURIER_CONFIG"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "courier:", err)
		os.Exit(1)
	}
	says, err := greeting(c)
	fmt.Println(says, ways(c, 120), err)
}
