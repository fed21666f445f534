# The everyday commands. Each is one script of scripts/ or one call of cmake; CONTRIBUTING.md has the longer story.
# PRESET=ci, release ... picks another row of CMakePresets.json.
PRESET ?= dev

.DEFAULT_GOAL := help
.PHONY: help deps build demo test peer bench pictures package clean format check-format tidy

help: ## this list
	@echo "Pipescope. Commands:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

deps: ## install what is missing: system packages, LibTorch into .deps/ or $PIPESCOPE_DEPS
	@scripts/bootstrap.sh

build: deps ## configure and build
	@scripts/build.sh $(PRESET)

demo: deps ## build, then split and run an example model and show it in the window; results in demo/
	@scripts/build.sh $(PRESET) -- pipescope pipescope-cli make-examples
	@scripts/demo.sh

test: build ## build and run all tests
	@scripts/test.sh $(PRESET)

peer: build ## the tests against Python's PyTorch, which is fetched if need be (5.4 GB)
	@scripts/peer.sh

bench: deps ## build and run the benchmarks; results in build/bench.json
	@scripts/build.sh $(PRESET) -DPIPESCOPE_BENCH=ON -- pipescope-bench pipescope-window-bench pipescope-cli
	@scripts/bench.sh

pictures: deps ## make the guide's pictures again, from the program as it is
	@scripts/build.sh $(PRESET) -- pipescope pipescope-cli make-examples
	@scripts/pictures.sh

package: deps ## make a Debian package, build/pipescope_*.deb
	@scripts/build.sh $(PRESET) -- pipescope pipescope-cli make-examples
	@scripts/package.sh

format: ## format the C++ files
	@scripts/format.sh

check-format: ## name the C++ files that are not formatted
	@scripts/format.sh --check

tidy: ## static analysis
	@scripts/tidy.sh

clean: ## remove what was built (not .deps/)
	rm -rf build build-asan build-tsan demo
