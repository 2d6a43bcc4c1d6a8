# Development commands. `make help` lists them.

.DEFAULT_GOAL := help
.PHONY: help run code stop test chaos fuzz check hooks sqlx openapi load proto-release

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

run: ## Install what is missing and run the whole system; Ctrl-C stops it
	@deploy/dev/run

code: ## Show the latest sign-in code
	@deploy/dev/sign-in-code

stop: ## Stop the processes that a previous `make run` left running
	@deploy/dev/stop

test: ## Run all checks and tests: lints, unit, integration, system and browser tests
	@deploy/dev/test

chaos: ## Kill, freeze and disconnect everything under load, then audit; CHAOS_SECONDS (180), CHAOS_SEED
	@deploy/dev/chaos

fuzz: ## Send generated requests for every call of the API; FUZZ_EXAMPLES (30) for each call, FUZZ_SEED
	@deploy/dev/fuzz

check: ## Run the formatting, lint, structure and contract checks only; installs what is missing
	@deploy/dev/setup test
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	deploy/dev/checks/structure
	deploy/dev/checks/deployment
	deploy/dev/supply-chain licenses
	cd proto && npm run --silent breaking
	cd frontend && npm run --silent check

hooks: ## Install the Git pre-commit hook, which checks staged files only
	git config core.hooksPath deploy/dev/hooks

sqlx: ## Regenerate the committed query descriptions after changing SQL or migrations
	@deploy/dev/sqlx

openapi: ## Regenerate gateway/openapi.json and the web app's types after changing the API
	cargo run --quiet -p gateway -- openapi > gateway/openapi.json.new
	mv gateway/openapi.json.new gateway/openapi.json
	cd frontend && npm run --silent types

load: ## Measure speed and cost next to references, and write docs/performance.md (15 minutes)
	@deploy/dev/load

proto-release: ## Record the current contracts as released; later changes must be compatible
	cd proto && npm run --silent release
