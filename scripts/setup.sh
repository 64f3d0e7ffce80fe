#!/usr/bin/env bash
# Make .venv with the versions of constraints.txt; quick where nothing has changed since the last time.
#   PYTHON=python3.12 scripts/setup.sh    picks the interpreter (3.11 or later)
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
stamp=.venv/.set-up

fail() {
    echo "set-up: $1" >&2
    exit 2
}

command -v "$python" >/dev/null || fail "no $python here; install Python 3.11 or later, or name it: make PYTHON=/path/to/python3"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "$python is $("$python" -V 2>&1); Python 3.11 or later is needed: make PYTHON=/path/to/python3.11"

# What the environment is made from: where any of it changes, it is set up again.
mark=$("$python" - <<'PY'
import hashlib, pathlib, sys
parts = [sys.base_prefix, sys.version, str(pathlib.Path.cwd())]
parts += [pathlib.Path(name).read_text() for name in ("pyproject.toml", "constraints.txt", "scripts/setup.sh")]
print(hashlib.sha256("\0".join(parts).encode()).hexdigest())
PY
)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$mark" ]; then
    exit 0
fi

# Someone who has a suitable torch keeps it; everyone else gets the one of constraints.txt.
options=()
constraints=constraints.txt
if "$python" - 2>/dev/null <<'PY'
import sys
from importlib.metadata import version
if sys.prefix != sys.base_prefix:  # an environment's own packages are not seen from another environment
    sys.exit(1)
major, minor = map(int, version("torch").split(".")[:2])
sys.exit(not (2, 9) <= (major, minor) < (2, 14))
PY
then
    options=(--system-site-packages)
    constraints=.venv/constraints.txt
fi

echo "set-up: making .venv with $("$python" -V 2>&1); the first time takes a few minutes" >&2
"$python" -m venv --clear "${options[@]+"${options[@]}"}" .venv ||
    fail "cannot make .venv; on Debian and Ubuntu: apt-get install python3-venv"
if [ "$constraints" != constraints.txt ]; then
    grep -v '^torch==' constraints.txt >"$constraints"
    echo "set-up: the torch that is installed already is kept" >&2
fi
echo "set-up: installing replicate and what it needs" >&2
.venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint "$constraints" --editable '.[train,dev,e2e]'
echo "$mark" >"$stamp"
echo "set-up: done" >&2
