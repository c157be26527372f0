package finding

import (
	"path"
	"strings"
)

// Rule is all there is to say of a rule, in plain sentences. It is the one source of
// what `seatrial explain` and `seatrial rules` show, of the pages in docs/rules and of
// the rules in SARIF. Each trial that has rules makes them of it.
//
// Its texts are without markup, their paragraphs apart by an empty line, so that
// every format can show them.
type Rule struct {
	// ID is SEA and four digits, Name its kebab-case alias.
	ID   string `json:"id"`
	Name string `json:"name"`
	// Title is one line: what a violation says.
	Title string `json:"title"`
	// Trial is the command that judges by the rule: check, perturb, campaign, configtest, settle or spec.
	Trial string `json:"trial"`
	// Level is how much a violation weighs.
	Level Level `json:"level"`
	// OnRequest: it is judged only where it is asked for.
	OnRequest bool `json:"onRequest"`
	// Means is what holds where the rule holds, Excuses what does not count against
	// it.
	Means   string `json:"means"`
	Excuses string `json:"excuses"`
	// Why is the mechanism in Kubernetes by which it is violated.
	Why string `json:"why"`
	// Mend is what people change, the most usual first: a sentence each, with the
	// fields.
	Mend []string `json:"mend"`
	// Links are pages of others on it.
	Links []Link `json:"links"`
	// Parameters are those that the rule takes where a Scenario asks for it; a rule of
	// perturb, campaign, configtest, settle and spec has none.
	Parameters []Parameter `json:"parameters"`
	// Fails and Holds are folders of the repository, below examples, which differ in
	// one place. Those of perturb are experiments: a controller with a mistake, and
	// the same without; those of settle are files of a package with a test for each, named
	// TestBuggy and TestFixed; those of campaign are files of an operator with its
	// definition and a resource, or campaigns, and some have none; those of configtest are changes of the
	// configuration of a service; those of spec are configurations of one module, of which Holds has its name.
	Fails string `json:"fails"`
	Holds string `json:"holds"`
}

// Controller tells whether the rule is about a program, such as a controller, which a trial
// needs: it is not asked for in a Scenario, and its examples are experiments.
func (r Rule) Controller() bool {
	return r.Trial != "check"
}

const (
	// trialSettle is the trial whose examples are tests.
	trialSettle = "settle"
	// trialCampaign is the one whose examples are operators.
	trialCampaign = "campaign"
	// trialConfigtest is the one whose examples are changed configurations.
	trialConfigtest = "configtest"
	// trialSpec is the one whose examples are configurations of specifications.
	trialSpec = "spec"
)

// generate is the command of configtest whose examples are configurations, of which it makes others.
const generate = "generate"

// configtest is the command of configtest that judges: its examples are in a folder that is called like it.
func (r Rule) configtest() string {
	if path.Base(path.Dir(r.Fails)) == generate {
		return generate
	}
	return "diff"
}

// recorded tells whether the examples are recorded histories.
func (r Rule) recorded() bool { return r.Trial == trialSpec && path.Ext(r.Fails) == ".jsonl" }

// Asked says, of a rule about controllers, when it is judged, in Markdown.
func (r Rule) Asked() string {
	switch r.Trial {
	case trialSettle:
		return "`seatrial settle` judges it in every test that calls `settle.Check`."
	case trialConfigtest:
		if r.OnRequest {
			return "`seatrial configtest diff` judges it with `--start`."
		}
		return "`seatrial configtest " + r.configtest() + "` judges it always."
	case trialSpec:
		if r.recorded() {
			return "`seatrial spec` judges it of the history that is given with `--history`."
		}
		return "`seatrial spec` judges it in every specification that claims such a thing."
	case trialCampaign:
		return "`seatrial campaign` judges it always, unless its oracle `" + r.Name + "` is switched off."
	}
	return "`seatrial " + r.Trial + "` judges it always, and only it with `--pattern=" + r.Name + "`."
}

// Commands show, of a rule about controllers, the example that fails and the one that
// holds, in a clone of the repository; both are empty if it has none.
func (r Rule) Commands() (fails, holds string) {
	switch {
	case r.Fails == "":
		return "", ""
	case r.Trial == trialCampaign && path.Ext(r.Fails) == ".go":
		folder := path.Dir(r.Fails)
		command := func(form string) string {
			return "seatrial campaign --operator 'bin/operators " + path.Base(folder) + " " + form + "' --crd " + folder + "/crd.yaml --seed " + folder + "/seed.yaml --setup " + path.Dir(folder) + "/setup.yaml"
		}
		return command("buggy"), command("fixed")
	case r.recorded():
		command := func(history string) string {
			return "seatrial spec --history=" + history + " " + path.Dir(history) + "/Observed.tla"
		}
		return command(r.Fails), command(r.Holds)
	case r.Trial == trialSpec:
		module := strings.TrimSuffix(r.Holds, path.Ext(r.Holds)) + ".tla"
		return "seatrial spec " + module + " " + r.Fails, "seatrial spec " + module
	case r.Trial == trialConfigtest:
		command := func(change string) string {
			module := path.Dir(path.Dir(change))
			if r.configtest() == generate {
				return "seatrial configtest generate -C " + module + " " + change
			}
			return "seatrial configtest diff -C " + module + " " + module + "/config.yaml " + change
		}
		return command(r.Fails), command(r.Holds)
	case r.Trial == trialSettle:
		module, name := path.Split(path.Dir(r.Fails))
		command := "seatrial settle -C " + path.Clean(module) + " --run "
		return command + "TestBuggy ./" + name, command + "TestFixed ./" + name
	}
	return "seatrial " + r.Trial + " " + r.Fails, "seatrial " + r.Trial + " " + r.Holds
}

// Example says what the examples of a rule are, of which one fails and one does not.
func (r Rule) Example() string {
	switch {
	case r.recorded():
		return "history"
	case r.Trial == trialSpec:
		return "model"
	}
	return "controller"
}

// Level is how much a violation weighs, in the words of SARIF.
type Level string

const (
	// LevelError: something that was promised is not kept.
	LevelError Level = "error"
	// LevelWarning: something works, and will not for long.
	LevelWarning Level = "warning"
)

// Link is a page somewhere else.
type Link struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Parameter is a field by which a rule is narrowed, or made stricter. Doc is
// Markdown.
type Parameter struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Example is one of a rule's examples, to be shown.
type Example struct {
	// Files are the whole failing example.
	Files []ExampleFile `json:"files"`
	// Difference is what makes it hold, in lines that begin as those of diff -u do.
	Difference string `json:"difference"`
	// Said is what the trial says of it, if that is known.
	Said string `json:"said,omitempty"`
}

// ExampleFile is one file of an example.
type ExampleFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// rulePages is where the manual's pages of the rules are.
const rulePages = "https://github.com/seatrial/seatrial/blob/main/docs/rules/"

// URI is the rule's page of the manual.
func (r Rule) URI() string { return rulePages + r.ID + ".md" }

// FindRule is the rule with the id, in any case, or the name; nil if there is none.
func FindRule(rules []Rule, name string) *Rule {
	for i := range rules {
		if r := &rules[i]; r.Name == name || strings.EqualFold(r.ID, name) {
			return r
		}
	}
	return nil
}
