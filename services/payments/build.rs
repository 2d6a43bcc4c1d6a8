//! Rebuilds the embedded migrations when a migration is added.
fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
