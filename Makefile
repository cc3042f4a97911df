# make demo    installs what is missing, builds, and tests an example
# make test    installs what is missing, and runs every test
# make bench   prints the figures of the README
# make soak    the long tests: hundreds of random programs, a million random inputs for each faulty example, and real code
#              before llvm-cov (downloads it)
# make strategies  all strategies on the examples and on real code, for docs/strategies-measured.md (hours; downloads it)
# make proofs  every proof about real code with its reason, for docs/proofs-judged.md (an hour; downloads it)
# make subjects  tests, proofs and faults on real code, for docs/subjects-measured.md and docs/faults-judged.md (an hour or more,
#              100 minutes at most; downloads it)
# make peers   beside AFL++ and CBMC on examples, for docs/peers-measured.md (ten minutes)
# make lint    formatting and clippy, as `make test` checks them

TARKA = target/release/tarka
SOAK_PROGRAMS ?= 300

.PHONY: demo test bench soak strategies proofs subjects peers lint build

demo: build
	@echo '$$ tarka gen examples/delete_from_table.c examples/bubble.c -o tarka-out'
	@$(TARKA) gen examples/delete_from_table.c examples/bubble.c -o tarka-out; \
	  status=$$?; [ $$status -le 1 ] || exit $$status
	@echo
	@echo 'The null dereference above is real: tarka-out/delete_from_table holds a program that shows it.'
	@echo 'Your own code: $(TARKA) gen your_file.c [-- -I include -DNAME=value]'

build:
	@scripts/setup build
	cargo build --release --locked -p tarka

test: lint
	TARKA_CACHE=$(CURDIR)/target/compile-cache cargo test --release --locked --workspace --no-fail-fast

lint:
	@scripts/setup test
	@if cargo fmt --version >/dev/null 2>&1; then cargo fmt --check; else echo 'lint: no rustfmt here, formatting not checked'; fi
	@if cargo clippy --version >/dev/null 2>&1; then cargo clippy --release --locked --workspace --all-targets -- -D warnings; \
	  else echo 'lint: no clippy here, lints not checked'; fi

bench:
	@scripts/setup test
	cargo run --release --locked -q -p tarka-campaign --example bench
	cargo build --release --locked -q -p tarka
	cargo run --release --locked -q -p tarka --example calls
	cargo run --release --locked -q -p tarka-search --example choosing
	cargo run --release --locked -q -p tarka-search --example pool
	cargo run --release --locked -q -p tarka-search --example import_speed
	cargo run --release --locked -q -p tarka-solver --example evaluations
	cargo run --release --locked -q -p tarka-solver --example limits
	cargo run --release --locked -q -p tarka-report --example page_opening

soak:
	@scripts/setup test
	cargo run --release --locked -q -p tarka-campaign --example soak -- $(SOAK_PROGRAMS)
	cargo run --release --locked -q -p tarka-campaign --example soak_verdicts -- $(SOAK_PROGRAMS)
	cargo run --release --locked -q -p tarka-campaign --example soak_faults
	scripts/subjects
	cargo test --release --locked -p tarka --test all -- --ignored subjects::
	cargo test --release --locked -p tarka --test all -- --ignored trust::
	cargo test --release --locked -p tarka --test all -- --ignored trust_faults::
	cargo test --release --locked -p tarka --test all -- --ignored resume::
	cargo test --release --locked -p tarka --test all -- --ignored edited::
	cargo test --release --locked -p tarka --test all -- --ignored hostile::
	cargo test --release --locked -p tarka --test all -- --ignored kept::

proofs:
	@scripts/setup test
	scripts/subjects open-list.tsv > target/open-list.txt
	cargo run --release --locked -q -p tarka-campaign --example proofs < target/open-list.txt

strategies: build
	scripts/strategies > target/strategies-measured.md; status=$$?; [ $$status -le 1 ] || exit $$status
	mv target/strategies-measured.md docs/strategies-measured.md

subjects: build
	@scripts/setup test
	scripts/measure-subjects > target/subjects-measured.md
	cp target/subjects-measured.md docs/subjects-measured.md
	@cat docs/subjects-measured.md

peers: build
	@scripts/setup peers
	scripts/peers > target/peers-measured.md
	cp target/peers-measured.md docs/peers-measured.md
	@cat docs/peers-measured.md
