# Everything starts here: `make serve` runs the site, `make test` passes the tests. Both install what they need.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PORT ?= 8080
TRUNK_VERSION := 0.21.14
WASM_BINDGEN_VERSION := 0.2.130

TOOLS := $(CURDIR)/.tools
NPM := $(TOOLS)/npm/node_modules/.bin
export PATH := $(TOOLS)/bin:$(NPM):$(PATH)
# The wasm carries the places of its panics: without the machine's paths. Cargo adds this to .cargo/config.toml's own flags.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS := --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=cargo --remap-path-prefix=$(CURDIR)=.
# A variable of the caller would replace the profile's own flags.
unexport NO_COLOR

SOURCES := $(shell find src model build content data style public -type f) Cargo.toml Cargo.lock build.rs index.html Trunk.toml scripts/initializer.mjs
SAY := scripts/say

.PHONY: help serve dev site test test-native test-browser test-launch test-embed check bench bench-browser shots tools clean

help: ## Shows this list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | column -t -s $$'\t'

serve: ## Builds the site and serves it on 127.0.0.1:PORT (8080).
	@scripts/port-free $(PORT)
	@$(MAKE) --no-print-directory dist/.built
	@echo "Crossover is at http://127.0.0.1:$(PORT)/ (Ctrl-C ends it)"
	@exec http-server dist -a 127.0.0.1 -p $(PORT) -c-1 --cors --silent

dev: tools ## Builds on every change and reloads the page (trunk's watch mode).
	@exec trunk serve --address 127.0.0.1 --port $(PORT) --public-url ./

site: dist/.built ## Leaves the deployable site in dist/ and prints its size.
	@node scripts/size.mjs dist

dist/.built: $(SOURCES) | tools
	@$(SAY) "building the site into dist/ (about 5 minutes from nothing, 2 after a change)" trunk build
	@touch $@

test: ## Passes all tests: native, in a real browser, in pages of other people's.
	@scripts/test

test-native: ## The native tests alone.
	@cargo test --locked

test-browser: dist/.built tests/browser/node_modules/.stamp ## The browser tests alone.
	@scripts/need-chromium
	@cd tests/browser && node --test --test-concurrency=1 .

test-launch: ## The launch plans started by the real engines on this machine's CPU (installs some 7 GB into .launch/ at first).
	@tests/launch/run.sh

test-embed: dist/.built tests/embed/node_modules/.stamp ## The calculator in pages of six hosts, each built by its own tool (ONLY=html,mkdocs selects; SHOTS=1 keeps screenshots).
	@scripts/need-chromium
	@scripts/need-venv
	@CROSSOVER_TOOLS=$(TOOLS)/embed node tests/embed/run.mjs $(if $(ONLY),--only $(ONLY)) $(if $(SHOTS),--shots)

check: ## Format and lints for both targets, warnings as errors.
	@scripts/need-wasm-target
	@cargo fmt --check
	@$(SAY) "clippy, native" cargo clippy --locked --all-targets -- -D warnings
	@$(SAY) "clippy, wasm" cargo clippy --locked --target wasm32-unknown-unknown --bin pages --bin calculator -- -D warnings

bench: ## Criterion benchmarks of one estimate, the search, the four charts; ratios to target/bench.json.
	@cargo bench --locked
	@node scripts/bench-ratios.mjs

bench-browser: dist/.built tests/browser/node_modules/.stamp ## Time of a slider event in Chromium, beside a reference loop.
	@scripts/need-chromium
	@node tests/browser/bench.mjs

shots: dist/.built tests/browser/node_modules/.stamp ## Screenshots of all pages into tests/browser/shots/.
	@scripts/need-chromium
	@node tests/browser/shots.mjs

tools: $(TOOLS)/bin/.trunk-$(TRUNK_VERSION) $(TOOLS)/bin/.wasm-bindgen-$(WASM_BINDGEN_VERSION) $(TOOLS)/npm/.stamp ## Installs the pinned tools into .tools/.
	@scripts/need-wasm-target

$(TOOLS)/bin/.trunk-$(TRUNK_VERSION):
	@$(SAY) "installing trunk $(TRUNK_VERSION) into .tools (5 to 9 minutes on 2 cores)" cargo install trunk@$(TRUNK_VERSION) --locked --root $(TOOLS) --target-dir $(TOOLS)/build --force
	@touch $@

# Without --locked: the lock file names a version that is no longer served.
$(TOOLS)/bin/.wasm-bindgen-$(WASM_BINDGEN_VERSION):
	@$(SAY) "installing wasm-bindgen-cli $(WASM_BINDGEN_VERSION) into .tools (2 to 3 minutes on 2 cores)" cargo install wasm-bindgen-cli --version $(WASM_BINDGEN_VERSION) --root $(TOOLS) --target-dir $(TOOLS)/build --force
	@touch $@

$(TOOLS)/npm/.stamp: scripts/npm/package.json scripts/npm/package-lock.json
	@mkdir -p $(TOOLS)/npm && cp scripts/npm/package.json scripts/npm/package-lock.json $(TOOLS)/npm/
	@$(SAY) "installing wasm-opt and the static server into .tools" npm ci --prefix $(TOOLS)/npm --no-audit --no-fund --loglevel=error
	@touch $@

tests/embed/node_modules/.stamp: tests/embed/package.json tests/embed/package-lock.json
	@$(SAY) "installing the embedding tests' packages" npm ci --prefix tests/embed --no-audit --no-fund --loglevel=error
	@touch $@

tests/browser/node_modules/.stamp: tests/browser/package.json tests/browser/package-lock.json
	@$(SAY) "installing the browser tests' packages" npm ci --prefix tests/browser --no-audit --no-fund --loglevel=error
	@touch $@

clean: ## Removes what was built; keeps the tools.
	@rm -rf dist target tests/browser/node_modules tests/browser/shots
