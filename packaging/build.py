#!/usr/bin/env python3
"""Packs a release binary that is already built: archive, wheel, npm packages, MCP bundle and checksums.

usage: build.py BINARY OUT VERSION [TARGET]

TARGET is a Rust triple; without it, that of this machine. The same input gives the same bytes. Packages of other targets
of this version stay in OUT, so one folder can hold a whole release.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import platform
import re
import sys
import tarfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ABOUT = "A code graph and search index of a repository, for people, editors and coding agents"
LICENSE = "MIT OR Apache-2.0"
# The first moment that a zip file can name.
EPOCH = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)

# Rust triple: tag of a wheel, and system and processor of npm.
TARGETS = {
    "x86_64-unknown-linux-gnu": ("manylinux_{glibc}_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-gnu": ("manylinux_{glibc}_aarch64", "linux", "arm64"),
    "x86_64-unknown-linux-musl": ("musllinux_1_2_x86_64", "linux", "x64"),
    "aarch64-unknown-linux-musl": ("musllinux_1_2_aarch64", "linux", "arm64"),
    "x86_64-apple-darwin": ("macosx_11_0_x86_64", "darwin", "x64"),
    "aarch64-apple-darwin": ("macosx_11_0_arm64", "darwin", "arm64"),
    "x86_64-pc-windows-msvc": ("win_amd64", "win32", "x64"),
    "x86_64-pc-windows-gnu": ("win_amd64", "win32", "x64"),
    "aarch64-pc-windows-msvc": ("win_arm64", "win32", "arm64"),
}


def own_target() -> str:
    """The triple of this machine."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    rest = {"Linux": "unknown-linux-gnu", "Darwin": "apple-darwin", "Windows": "pc-windows-msvc"}[platform.system()]
    return f"{machine}-{rest}"


def glibc_of(binary: bytes) -> str:
    """The newest version of the C library whose symbols a program needs, as in `2_34`."""
    versions = [tuple(map(int, found.split(b"."))) for found in re.findall(rb"GLIBC_(\d+\.\d+)", binary)]
    major, minor = max(versions, default=(2, 17))
    return f"{major}_{max(minor, 17)}"


def tar_gz(path: Path, files: list[tuple[str, bytes, int]]) -> None:
    """Writes an archive of files, each with name, bytes and mode."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, content, mode in files:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, EPOCH
            archive.addfile(entry, io.BytesIO(content))
    with open(path, "wb") as out, gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0) as packed:
        packed.write(raw.getvalue())


def zip_file(path: Path, files: list[tuple[str, bytes, int]]) -> None:
    """Writes a zip file of files, each with name, bytes and mode."""
    when = time.gmtime(EPOCH)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def common_files() -> list[tuple[str, bytes, int]]:
    names = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]
    return [(name, (ROOT / name).read_bytes(), 0o644) for name in names]


def archive(out: Path, binary: bytes, program: str, version: str, target: str) -> None:
    folder = f"knotwork-{version}-{target}"
    plugin = sorted(path for path in (ROOT / "plugins").rglob("*") if path.is_file())
    files = [(program, binary, 0o755), *common_files()]
    files += [(path.relative_to(ROOT).as_posix(), path.read_bytes(), 0o644) for path in plugin]
    files = [(f"{folder}/{name}", content, mode) for name, content, mode in files]
    if "windows" in target:
        zip_file(out / f"{folder}.zip", files)
    else:
        tar_gz(out / f"{folder}.tar.gz", files)


def wheel(out: Path, binary: bytes, program: str, version: str, tag: str) -> None:
    info = f"knotwork-{version}.dist-info"
    readme = (ROOT / "README.md").read_text()
    metadata = (
        f"Metadata-Version: 2.4\nName: knotwork\nVersion: {version}\nSummary: {ABOUT}\nLicense-Expression: {LICENSE}\n"
        "License-File: LICENSE-MIT\nLicense-File: LICENSE-APACHE\nKeywords: code-search,code-graph,mcp\n"
        "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" + readme
    )
    files = [
        (f"knotwork-{version}.data/scripts/{program}", binary, 0o755),
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: knotwork\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode(), 0o644),
    ]
    files += [(f"{info}/licenses/{name}", content, mode) for name, content, mode in common_files() if name.startswith("LICENSE")]
    record = ""
    for name, content, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    zip_file(out / f"knotwork-{version}-py3-none-{tag}.whl", files)


def npm(out: Path, binary: bytes, program: str, version: str, system: str, processor: str) -> None:
    """The launcher, which is the same for all systems, and the program of one system."""
    common = {"version": version, "license": LICENSE}
    own = f"knotwork-{system}-{processor}"
    package = {"name": own, "description": f"{ABOUT} ({system} {processor})", **common, "os": [system], "cpu": [processor]}
    files = [("package.json", package), (f"bin/{program}", binary)]
    npm_tarball(out / f"{own}-{version}.tgz", files)
    systems = sorted({(name, processor) for _, name, processor in TARGETS.values()})
    package = {
        "name": "knotwork",
        "description": ABOUT,
        **common,
        "bin": {"knotwork": "bin/knotwork.js"},
        "optionalDependencies": {f"knotwork-{name}-{processor}": version for name, processor in systems},
        "engines": {"node": ">=18"},
        "mcpName": json.loads((ROOT / "server.json").read_text())["name"],
    }
    launcher = (ROOT / "packaging" / "launcher.js").read_bytes()
    npm_tarball(out / f"knotwork-npm-{version}.tgz", [("package.json", package), ("bin/knotwork.js", launcher)])


def npm_tarball(path: Path, files: list[tuple[str, object]]) -> None:
    as_bytes = lambda content: content if isinstance(content, bytes) else (json.dumps(content, indent=2) + "\n").encode()
    entries = [(name, as_bytes(content), 0o755 if name.startswith("bin/") else 0o644) for name, content in files]
    entries += common_files()
    tar_gz(path, [(f"package/{name}", content, mode) for name, content, mode in entries])


def bundle(out: Path, binary: bytes, program: str, version: str, target: str, system: str) -> None:
    manifest = json.loads((ROOT / "packaging" / "mcpb" / "manifest.json").read_text())
    manifest["version"] = version
    manifest["server"]["entry_point"] = f"server/{program}"
    # It holds the program of one system.
    manifest["compatibility"]["platforms"] = [system]
    content = (json.dumps(manifest, indent=2) + "\n").encode()
    files = [("manifest.json", content, 0o644), (f"server/{program}", binary, 0o755)]
    zip_file(out / f"knotwork-{version}-{target}.mcpb", files)


def remove_earlier(out: Path, version: str, target: str, tag: str) -> None:
    """Removes packages of other versions, and earlier ones of this target whose names may differ."""
    wheel_of_target = f"knotwork-{version}-py3-none-{tag.format(glibc='*')}.whl"
    for old in out.glob("knotwork-*"):
        of_version = re.search(rf"-{re.escape(version)}(-|\.tgz$)", old.name)
        if not of_version or old.match(wheel_of_target) or f"-{target}." in old.name:
            old.unlink()


def main() -> None:
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    path, out, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    target = sys.argv[4] if len(sys.argv) == 5 else own_target()
    if target not in TARGETS:
        sys.exit(f"unknown target {target}; known: {', '.join(sorted(TARGETS))}")
    tag, system, processor = TARGETS[target]
    binary = path.read_bytes()
    program = "knotwork.exe" if system == "win32" else "knotwork"
    out.mkdir(parents=True, exist_ok=True)
    remove_earlier(out, version, target, tag)
    archive(out, binary, program, version, target)
    wheel(out, binary, program, version, tag.format(glibc=glibc_of(binary)))
    npm(out, binary, program, version, system, processor)
    bundle(out, binary, program, version, target, system)
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted(out.glob("knotwork-*"))]
    (out / "SHA256SUMS").write_text("".join(sums))
    print("".join(sums), end="")


if __name__ == "__main__":
    main()
