use std::process::ExitCode;

fn main() -> ExitCode {
    kit::lifecycle::run("gateway", gateway::run)
}
