# What is built, checked and shipped. "make test" is everything a change must
# pass; it installs the tools it needs, at these versions, into bin/.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

STATICCHECK := v0.8.2
GOVULNCHECK := v1.9.0

# A release is built at its tag; anything else says that it is none.
VERSION ?= $(shell git describe --tags --match 'v*' --dirty 2>/dev/null || echo v0.0.0-devel)
GO_BUILD := go build -ldflags "-s -w -X github.com/msgbrowse/msgbrowse/internal/cli.version=$(VERSION)"

PLATFORMS := linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64
FUZZ_TIME ?= 5s

# The program needs no C compiler; only the race detector does.
export CGO_ENABLED := 0

# For everything and not for releases alone, since the compiler's work is
# shared only between runs with the same flags.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)

# Real export files, which are not part of the project.
SHARED ?= $(or $(MSGBROWSE_SHARED),$(abspath ../shared))

.PHONY: build test lint vuln samples unit race fuzz bench cross mcpb conformance browser chromium axe screenshots clean

build:
	$(GO_BUILD) -o bin/msgbrowse ./cmd/msgbrowse

# Fuzzing is for "make fuzz": what it finds depends on chance, and a change
# must not.
test: samples lint vuln unit race cross conformance browser

lint: bin/staticcheck-$(STATICCHECK)
	@unformatted=$$(gofmt -l .); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:" $$unformatted >&2; exit 1; fi
	go vet ./...
	go vet -tags browser ./internal/web
	bin/staticcheck-$(STATICCHECK) ./...

vuln: bin/govulncheck-$(GOVULNCHECK)
	.ci/vuln-test
	.ci/vuln bin/govulncheck-$(GOVULNCHECK) ./...

# Tests that read real exports are skipped without them. CI must not take
# that for success.
samples:
	@if [ -d "$(SHARED)/samples" ]; then :; \
	elif [ -n "$${CI:-}" ]; then echo "no samples in $(SHARED): set MSGBROWSE_SHARED" >&2; exit 1; \
	else echo "WARNING: no samples in $(SHARED); the tests that read them are skipped" >&2; fi

unit:
	.ci/unit ./...

# The rooms in which several goroutines share something. The sources read in
# one goroutine each, which their suite checks under "make race RACE=./...".
RACE ?= ./internal/cli ./internal/config ./internal/embed/... ./internal/ingest ./internal/llm ./internal/mcp ./internal/search ./internal/store ./internal/vector ./internal/web

# Short, because large exports say nothing about races and take minutes under
# the detector; "unit" reads them.
race:
	@if command -v "$$(CGO_ENABLED=1 go env CC)" >/dev/null; then \
		CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -short -timeout 30m $(RACE); \
	else echo "WARNING: no race tests: the race detector needs a C compiler" >&2; fi

fuzz:
	.ci/fuzz $(FUZZ_TIME)

bench:
	go test -run '^$$' -bench . -benchmem ./...

cross: $(PLATFORMS:%=dist/%)

dist/%: FORCE
	GOOS=$(word 1,$(subst -, ,$*)) GOARCH=$(word 2,$(subst -, ,$*)) \
		$(GO_BUILD) -o dist/msgbrowse-$*$(if $(findstring windows,$*),.exe) ./cmd/msgbrowse

# Bundles for MCP clients and the registry's entry for them.
mcpb: cross
	.ci/mcpb $(VERSION) $(PLATFORMS)

# The public MCP suites, against an archive of the bundled sample.
conformance: build
	@if ! command -v npm >/dev/null; then \
		if [ -n "$${CI:-}" ]; then echo "the MCP suites need npm" >&2; exit 1; fi; \
		echo "WARNING: no MCP conformance run: it needs npm" >&2; \
	else \
		rm -rf dist/conformance; \
		bin/msgbrowse import --quiet --data-dir dist/conformance --me "Casey Lund" internal/demo/sample; \
		tools/conformance/run.sh bin/msgbrowse dist/conformance; \
	fi

AXE := 4.14.1
NODE_CACHE ?= $(or $(MSGBROWSE_NODE_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/msgbrowse/node)
AXE_FILE := $(NODE_CACHE)/axe-$(AXE)/node_modules/axe-core/axe.min.js

# The web interface in a real browser, over the bundled sample.
browser: chromium axe
	@if ! command -v chromium >/dev/null; then echo "WARNING: no browser tests: they need Chromium" >&2; \
	elif [ ! -f "$(AXE_FILE)" ]; then echo "WARNING: no browser tests: they need axe-core, which npm installs" >&2; \
	else MSGBROWSE_AXE="$(AXE_FILE)" .ci/unit -tags browser -timeout 30m -skip TestScreenshots ./internal/web; fi

# Pictures of every page, light and dark, wide and on a phone, to look at.
screenshots: chromium
	mkdir -p dist/screenshots
	MSGBROWSE_SCREENSHOTS="$(CURDIR)/dist/screenshots" go test -tags browser -timeout 30m -count 1 -run TestScreenshots ./internal/web

# Where CI runs as root of a Debian machine, it installs what is absent; it
# must not take "not there" for success.
chromium:
	@if ! command -v chromium >/dev/null && [ -n "$${CI:-}" ]; then \
		apt-get install -qq -y --no-install-recommends chromium >/dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null; }; \
		command -v chromium >/dev/null; fi
	@if ! command -v pdftotext >/dev/null && [ -n "$${CI:-}" ]; then \
		apt-get install -qq -y --no-install-recommends poppler-utils >/dev/null || { apt-get update -qq && apt-get install -qq -y --no-install-recommends poppler-utils >/dev/null; }; fi

axe:
	@if [ ! -f "$(AXE_FILE)" ] && { [ -n "$${CI:-}" ] || command -v npm >/dev/null; }; then \
		npm install --prefix "$(NODE_CACHE)/axe-$(AXE)" --no-fund --no-audit --loglevel=error axe-core@$(AXE); fi

bin/staticcheck-%:
	GOBIN=$(CURDIR)/bin go install honnef.co/go/tools/cmd/staticcheck@$*
	mv bin/staticcheck $@

bin/govulncheck-%:
	GOBIN=$(CURDIR)/bin go install golang.org/x/vuln/cmd/govulncheck@$*
	mv bin/govulncheck $@

clean:
	rm -rf bin dist

FORCE:
