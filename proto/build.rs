//! Generates the gRPC code without protoc and writes the descriptors for gRPC reflection.
use std::{env, error::Error, fs, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=orderahead");
    let mut files = Vec::new();
    for service in fs::read_dir("orderahead")? {
        for file in fs::read_dir(service?.path().join("v1"))? {
            files.push(file?.path());
        }
    }
    files.sort();
    let descriptors = protox::compile(files, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(
        out.join("descriptors.bin"),
        prost::Message::encode_to_vec(&descriptors),
    )?;
    // Error details are sent as `Any`, which needs the type name of each message.
    let mut config = prost_build::Config::new();
    config.enable_type_names();
    tonic_prost_build::configure().compile_fds_with_config(descriptors, config)?;
    Ok(())
}
