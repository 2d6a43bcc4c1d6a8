# What there is to do here; `make help` lists it.

.DEFAULT_GOAL := help
.PHONY: help run code stop test check sqlx openapi load proto-release

help: ## List these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

run: ## Set up what is missing and start the whole system; Ctrl-C ends it
	@deploy/dev/run

code: ## Show the latest sign-in code
	@deploy/dev/code

stop: ## End what an earlier `make run` left running
	@deploy/dev/stop

test: ## Everything that has to hold: lints, unit, integration, system and browser tests
	@deploy/dev/test

check: ## Formatting and lints only
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cd proto && npm run --silent breaking
	cd frontend && npm run --silent check

sqlx: ## Renew the committed query descriptions after a change of SQL or migrations
	@deploy/dev/sqlx

openapi: ## Renew gateway/openapi.json and the web app's types after a change of the API
	cargo run --quiet -p gateway -- openapi > gateway/openapi.json.new
	mv gateway/openapi.json.new gateway/openapi.json
	cd frontend && npm run --silent types

load: ## Measure stored-value orders a second beside pgbench running the same SQL
	@deploy/dev/load

proto-release: ## Declare that the contracts as they stand are what runs from now on
	cd proto && npm run --silent release
