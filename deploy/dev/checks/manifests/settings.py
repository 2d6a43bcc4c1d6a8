"""Reads the settings of each program from its configuration structs in Rust, and from docker-compose.yml."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

STRUCT = re.compile(
    r"#\[derive\([^)]*Deserialize[^)]*\)\]\s*(?:#\[[^\n]*\]\s*)*(?:pub(?:\([a-z]+\))? )?struct \w+ \{\n(.*?)\n\}", re.S
)
FIELD = re.compile(r"(?:pub(?:\([a-z]+\))? )?(\w+): (.+),$")
DEFAULT = re.compile(r'default = "(\w+)"')
RENAME = re.compile(r'rename = "(\w+)"')
READS = re.compile(r"\.read(::<|\(\)\?)")
LOCAL = ("127.0.0.1", "LOCALHOST", "127, 0, 0, 1")
# Read by the libraries of OpenTelemetry.
OTHER = re.compile(r"OTEL_[A-Z_]+|CONFIG_FILE")


@dataclass(frozen=True)
class Setting:
    # It has no default, or one that names a server or a folder of the same machine.
    is_required: bool


@cache
def program_settings(root, program):
    """Returns the settings of a program, by the names of their environment variables."""
    folder = root / ("gateway" if program == "gateway" else f"services/{program}") / "src"
    return read_settings(root / "services/shared/kit/src") | read_settings(folder)


def read_settings(folder):
    """Returns the settings that the Rust files below a folder define."""
    settings = {}
    for path in sorted(folder.rglob("*.rs")):
        text = path.read_text().split("#[cfg(test)]\nmod tests")[0]
        if path.name != "config.rs" and not READS.search(text):
            continue
        for body in STRUCT.findall(text):
            settings |= _fields(text, body)
    return settings


def _fields(text, body):
    fields, attributes, is_open = {}, "", False
    for line in map(str.strip, body.splitlines()):
        if line.startswith("//"):
            continue
        if line.startswith("#[") or is_open:
            attributes += line
            is_open = not line.endswith("]")
            continue
        field = FIELD.fullmatch(line)
        if not field:
            raise ValueError(f"the check cannot read the setting {line!r}")
        rename = RENAME.search(attributes)
        name = (rename.group(1) if rename else field.group(1)).upper()
        fields[name] = Setting(_is_required(text, attributes, field.group(2)))
        attributes = ""
    return fields


def _is_required(text, attributes, field_type):
    default = DEFAULT.search(attributes)
    if not default:
        return "serde(default" not in attributes and not field_type.startswith("Option<")
    if field_type == "PathBuf":
        return True
    # A function of the same file or of `types`, or an entry of the gateway's table of defaults.
    name = default.group(1)
    text += _shared_types()
    value = re.search(rf"fn {name}\(\)[^{{]*\{{(.*?)\n\}}", text, re.S) or re.search(rf"^    {name}: (.*?);$", text, re.M)
    if not value:
        raise ValueError(f"the default {name} was not found")
    return any(address in value.group(1) for address in LOCAL)


@cache
def _shared_types():
    folder = Path(__file__).resolve().parents[4] / "services/shared/types/src"
    return "".join(path.read_text() for path in sorted(folder.rglob("*.rs")))


def max_upload_bytes(root):
    """Returns the maximum size of a form with a photo (`MAX_UPLOAD_BYTES` in the gateway)."""
    photo = re.search(r"MAX_PHOTO_BYTES: usize = (\d+) << 20;", (root / "services/shared/types/src/limits.rs").read_text())
    form = re.search(r"MAX_UPLOAD_BYTES: usize = MAX_PHOTO_BYTES \+ ([\d_]+);", (root / "gateway/src/extract/photo_upload.rs").read_text())
    return (int(photo.group(1)) << 20) + int(form.group(1))


def compose_services(root):
    return yaml.safe_load((root / "docker-compose.yml").read_text())["services"]


def compose_environment(root, program):
    """Returns the names of the variables that docker-compose.yml sets for a program."""
    return set(compose_services(root)[program]["environment"])
