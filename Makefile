# The two commands: `make demo` and `make test`. Each installs what is missing, builds and runs.
# The real build is CMake (see CMakePresets.json); this file only puts the steps in order.
.PHONY: demo test build packages checks sanitizers format fuzz bench clean

build: packages
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release --target cmbo cmbo-digits cmbo-minibench

demo: build
	@scripts/demo

# Everything that CI runs, in about the order in which it is likely to fail. In the release build: the
# programs, and the folders whose results depend on optimization (cmake/cmbo.cmake).
test: packages checks build
	@cmake --build --preset release --target optimized_tests
	@ctest --preset release -L 'optimized|program'
	@$(MAKE) --no-print-directory sanitizers
	@scripts/check-tidy
	@echo "all tests passed"

checks: packages
	@scripts/check-format
	@scripts/check-layers

sanitizers: packages
	@cmake --preset asan > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset asan
	@ctest --preset asan
	@cmake --preset tsan > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset tsan --target thread_tests
	@ctest --preset tsan -L threads

packages:
	@mkdir -p build
	@scripts/install-packages

format:
	@scripts/check-format --fix

# Five minutes of every fuzz target.
fuzz: packages
	@scripts/fuzz 300

clean:
	rm -rf build
