# The modules: the light one at the root, the command in cmd/seatrial, the control
# plane in cmd/seatrial-controlplane, the library that checks reconcilers in settle,
# the tests in a browser in browser, the sample controllers in examples/controllers,
# the sample operators in examples/operators, the reconcilers that settle checks in
# examples/settle, and the services in examples/configtest, a module each.
# There is no go.work on purpose: see docs/ARCHITECTURE.md.
.POSIX:
.PHONY: build build-seatrial build-controlplane build-samples build-operators test test-long lint bench generate verify conformance fuzz demo tidy clean

COMMAND = cmd/seatrial
CONTROLPLANE = cmd/seatrial-controlplane
SAMPLES = examples/controllers
OPERATORS = examples/operators
SETTLE = settle
SETTLED = examples/settle
CONFIGURED = examples/configtest/courier examples/configtest/gateway examples/configtest/janitor examples/configtest/mailer examples/configtest/thumbs
DEMO = examples/cases/kivi-c5/bad
TIMEOUT = 60m
# lint vets, with all of its checks: what tests vet by themselves would go through all
# that the modules are built of once more, for minutes.
GOTEST = go test -vet=off -timeout $(TIMEOUT)
FUZZTIME = 2m
# The variables that hold the version that git gives; empty without git.
STAMP = github.com/seatrial/seatrial/cmd/seatrial/internal/cli.stamped
CONTROLPLANE_STAMP = github.com/seatrial/seatrial/cmd/seatrial-controlplane/internal/command.stamped

# grpcnotrace leaves golang.org/x/net/trace out of gRPC, which comes with the
# descheduler and which nothing here calls. Its web pages are templates, and a
# program with templates keeps every method of every type: twice the size.
build: build-seatrial build-controlplane build-samples build-operators

build-seatrial:
	cd $(COMMAND) && go build -buildvcs=false -tags grpcnotrace -ldflags="-s -w -X '$(STAMP)=$$(git describe --tags --always --dirty 2>/dev/null)'" -o ../../bin/seatrial .

build-controlplane:
	cd $(CONTROLPLANE) && go build -buildvcs=false -tags grpcnotrace -ldflags="-s -w -X '$(CONTROLPLANE_STAMP)=$$(git describe --tags --always --dirty 2>/dev/null)'" -o ../../bin/seatrial-controlplane .

# Beside the experiments that name it.
build-samples:
	cd $(SAMPLES) && go build -buildvcs=false -ldflags="-s -w" -o controllers .

build-operators:
	cd $(OPERATORS) && go build -buildvcs=false -ldflags="-s -w" -o ../../bin/operators .

# The first look: builds the command and shows a counterexample. The check
# exits 1 because the configuration is violated; that is what this expects.
demo: build-seatrial
	@echo '$$ bin/seatrial check $(DEMO)'
	@code=0; bin/seatrial check $(DEMO) || code=$$?; \
	if [ $$code -ne 1 ]; then echo "demo: exit code $$code, want 1 (violated)" >&2; exit 1; fi

# What is quick, on a machine that has built nothing yet: the control plane is built once, as an
# executable, which trials do not link, and its tags are those of the build, which makes nothing
# twice; settle is tested with the libraries of the executables (newer.mod), which are built then.
# Tests that take long are skipped, and most of those of which there are many, as package pace
# says; make test-long runs all.
# The command's tests mostly wait for controllers to be quiet: five of them at once.
test: build-controlplane build-seatrial
	$(GOTEST) -short ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(SETTLE) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) -modfile=newer.mod ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(COMMAND) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) -short -tags grpcnotrace -parallel 5 ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(CONTROLPLANE) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) -tags grpcnotrace ./...
	command="$$PWD/bin/seatrial"; cd browser && SEATRIAL="$$command" $(GOTEST) ./...
	cd $(SAMPLES) && $(GOTEST) ./...
	cd $(OPERATORS) && $(GOTEST) ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(SETTLED) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) ./...
	for module in $(CONFIGURED); do (cd $$module && $(GOTEST) ./...) || exit 1; done

# All that make test leaves out. The race detector and the invariants run on the light module
# and on settle, with the oldest controller-runtime that it supports: with k8s.io/kubernetes they
# would take most of an hour.
test-long: build-controlplane build-seatrial
	$(GOTEST) -race -tags invariants ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(SETTLE) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) -race -tags invariants ./...
	cd $(COMMAND) && $(GOTEST) -tags grpcnotrace,mutation -run '^TestMutation' ./internal/cluster
	plane="$$PWD/bin/seatrial-controlplane"; cd $(COMMAND) && SEATRIAL_CONTROLPLANE="$$plane" $(GOTEST) -tags grpcnotrace -parallel 5 ./...

# golangci-lint vets as well, so that the heavy modules are not gone through twice.
lint:
	@unformatted="$$(gofmt -l .)"; if [ -n "$$unformatted" ]; then echo "gofmt is needed on:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags invariants ./...
	@if command -v golangci-lint >/dev/null; then \
		golangci-lint run ./... && cd $(COMMAND) && golangci-lint run --build-tags grpcnotrace --config ../../.golangci.yaml ./... && \
		cd ../../$(CONTROLPLANE) && golangci-lint run --build-tags grpcnotrace --config ../../.golangci.yaml ./... && \
		cd ../../browser && golangci-lint run --config ../.golangci.yaml ./... && \
		cd ../$(SAMPLES) && golangci-lint run --config ../../.golangci.yaml ./... && \
		cd ../../$(OPERATORS) && golangci-lint run --config ../../.golangci.yaml ./... && \
		cd ../../$(SETTLE) && golangci-lint run --config ../.golangci.yaml ./... && \
		cd ../$(SETTLED) && golangci-lint run --config ../../.golangci.yaml ./... && cd ../.. && \
		for module in $(CONFIGURED); do (cd $$module && golangci-lint run --config ../../../.golangci.yaml ./...) || exit 1; done; \
	else echo "golangci-lint is not installed: its linters are left out" && cd $(COMMAND) && go vet -tags grpcnotrace ./... && \
		cd ../../$(CONTROLPLANE) && go vet -tags grpcnotrace ./... && cd ../../browser && go vet ./... && cd ../$(SAMPLES) && go vet ./... && \
		cd ../../$(OPERATORS) && go vet ./... && \
		cd ../../$(SETTLE) && go vet ./... && cd ../$(SETTLED) && go vet ./... && cd ../.. && \
		for module in $(CONFIGURED); do (cd $$module && go vet ./...) || exit 1; done; fi

# The engine, whole processes of the command on the inputs of examples/bench, and
# whole processes of the control plane.
bench: build
	go test -timeout $(TIMEOUT) -run '^$$' -bench . -benchmem ./statespace/... ./spec
	cd $(COMMAND) && go test -timeout $(TIMEOUT) -run '^$$' -bench '^BenchmarkCheck$$' -benchtime 1x .
	plane="$$PWD/bin/seatrial-controlplane"; cd $(CONTROLPLANE) && SEATRIAL_CONTROLPLANE="$$plane" go test -timeout $(TIMEOUT) -run '^$$' -bench . -benchtime 10x ./trial
	cd browser && go test -timeout $(TIMEOUT) -run '^$$' -bench . -benchtime 10x ./...
	cd $(SETTLE) && go test -timeout $(TIMEOUT) -run '^$$' -bench . -benchmem ./...

generate:
	go generate ./...
	cd $(COMMAND) && go generate ./...

# Fails if generating changes anything.
verify:
	tools/verify.sh

# The oracles at full size, and every trace and many walks on the control plane:
# hours. Before, settle with the newest libraries that it supports (newest.mod).
conformance: build-controlplane build-samples build-operators
	cd $(SETTLE) && go test -timeout $(TIMEOUT) -modfile=newest.mod ./...
	plane="$$PWD/bin/seatrial-controlplane"; cd $(SETTLE) && SEATRIAL_CONFORMANCE=1 SEATRIAL_CONTROLPLANE="$$plane" go test -count=1 -v -timeout 24h ./kubestate
	plane="$$PWD/bin/seatrial-controlplane"; cd $(COMMAND) && SEATRIAL_CONFORMANCE=1 SEATRIAL_CONTROLPLANE="$$plane" go test -count=1 -timeout 24h ./internal/upstream/... ./internal/cluster/... ./internal/replay ./internal/spec
	cd $(COMMAND) && SEATRIAL_CONFORMANCE=1 go test -tags grpcnotrace -count=1 -timeout 24h -run '^TestGenerate$$' ./internal/configtest
	plane="$$PWD/bin/seatrial-controlplane"; cd $(COMMAND) && SEATRIAL_CONFORMANCE=1 SEATRIAL_REPEATS=5 SEATRIAL_CONTROLPLANE="$$plane" go test -count=1 -v -timeout 24h -run TestSamples .
	plane="$$PWD/bin/seatrial-controlplane"; cd $(COMMAND) && SEATRIAL_CONFORMANCE=1 SEATRIAL_REPEATS=5 SEATRIAL_CONTROLPLANE="$$plane" go test -count=1 -v -timeout 48h -run TestOperators .

fuzz:
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(FUZZTIME) ./internal/cli/baseline
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(FUZZTIME) ./internal/cli/stored
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzPick$$' -fuzztime $(FUZZTIME) ./internal/cli/explain
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME) ./internal/cli/config
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME) ./internal/experiment
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzParseReference$$' -fuzztime $(FUZZTIME) ./internal/experiment
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzCompile$$' -fuzztime $(FUZZTIME) ./internal/experiment
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(FUZZTIME) ./internal/perturb/plan
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzDotenv$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzJSON$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzManifest$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzProperties$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzTOML$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzYAML$$' -fuzztime $(FUZZTIME) ./internal/configtest/change
	go test -run '^$$' -fuzz '^FuzzClassify$$' -fuzztime $(FUZZTIME) ./apiproxy
	go test -run '^$$' -fuzz '^FuzzNamed$$' -fuzztime $(FUZZTIME) ./apiproxy
	go test -run '^$$' -fuzz '^FuzzProtobuf$$' -fuzztime $(FUZZTIME) ./apiproxy
	go test -run '^$$' -fuzz '^FuzzFrames$$' -fuzztime $(FUZZTIME) ./apiproxy
	go test -run '^$$' -fuzz '^FuzzSniffer$$' -fuzztime $(FUZZTIME) ./apiproxy
	go test -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(FUZZTIME) ./controlplane/option
	go test -run '^$$' -fuzz '^FuzzWrite$$' -fuzztime $(FUZZTIME) ./report/html
	cd $(CONTROLPLANE) && go test -run '^$$' -fuzz '^FuzzNodes$$' -fuzztime $(FUZZTIME) ./internal/spec
	go test -run '^$$' -fuzz '^FuzzDecode$$' -fuzztime $(FUZZTIME) ./history
	go test -run '^$$' -fuzz '^FuzzMask$$' -fuzztime $(FUZZTIME) ./history
	go test -run '^$$' -fuzz '^FuzzDiff$$' -fuzztime $(FUZZTIME) ./history
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzLoad$$' -fuzztime $(FUZZTIME) ./internal/manifest
	cd $(COMMAND) && go test -run '^$$' -fuzz '^FuzzIgnore$$' -fuzztime $(FUZZTIME) ./internal/manifest
	cd cmd/seatrial-controlplane && go test -run '^$$' -fuzz '^FuzzParse$$' -fuzztime $(FUZZTIME) ./internal/kubelet/rule
	go test -run '^$$' -fuzz '^FuzzCheck$$' -fuzztime $(FUZZTIME) ./spec
	go test -run '^$$' -fuzz '^FuzzEdits$$' -fuzztime $(FUZZTIME) ./spec
	go test -run '^$$' -fuzz '^FuzzPrint$$' -fuzztime $(FUZZTIME) ./spec/syntax
	go test -run '^$$' -fuzz '^FuzzTranslate$$' -fuzztime $(FUZZTIME) ./spec/pluscal

# The only way to tidy the command's module: a plain `go mod tidy` fails there.
tidy:
	go mod tidy
	cd browser && go mod tidy
	cd $(SAMPLES) && go mod tidy
	cd $(OPERATORS) && go mod tidy
	cd $(SETTLE) && go mod tidy && go mod tidy -modfile=newer.mod && go mod tidy -modfile=newest.mod
	cd $(SETTLED) && go mod tidy
	for module in $(CONFIGURED); do (cd $$module && go mod tidy) || exit 1; done
	tools/tidy.sh

clean:
	rm -rf bin $(SAMPLES)/controllers
