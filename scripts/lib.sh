# Read by the scripts beside it with `.`: finds a Python, makes .venv in the checkout and keeps it up to date.
# Wants nothing of the user's environment but PATH; works with any HOME, as any user, without a terminal.
# shellcheck shell=sh
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
venv=$root/.venv
# Settings that would lead Python or pip to another place than .venv.
unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_ROOT VIRTUAL_ENV
export PIP_USER=0 PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# need PROGRAM PACKAGE: the program must be there; the package is what holds it on Debian and Ubuntu.
need() {
    command -v "$1" >/dev/null 2>&1 || die "the program $1 is missing. Install it (Debian, Ubuntu: apt-get install $2)."
}

find_sshd() {
    PATH=$PATH:/usr/sbin:/usr/local/sbin command -v sshd
}

# Prints a Python of version 3.11 or newer that can make environments.
find_python() {
    found=
    for name in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python /usr/bin/python3; do
        "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
        found=$name
        if "$name" -c 'import ensurepip, venv' >/dev/null 2>&1; then
            printf '%s\n' "$name"
            return
        fi
    done
    if [ -n "$found" ]; then
        die "$found can't make environments. Install its venv module (Debian, Ubuntu: apt-get install python3-venv)."
    fi
    die "no Python 3.11 or newer was found. Install one, or name it: PYTHON=/path/to/python3 $0"
}

# What an environment was made from: it is used again while this stays the same.
fingerprint() {
    printf '%s %s\n' "$(cksum <"$root/pyproject.toml")" "$root"
}

# up_to_date EXTRA
up_to_date() {
    [ -f "$venv/made-for-$1" ] && [ "$(cat "$venv/made-for-$1")" = "$(fingerprint)" ] &&
        "$venv/bin/python" -c 'import click, soulsync' >/dev/null 2>&1
}

# quietly WHAT COMMAND...: runs it; says what came out only when it fails.
quietly() {
    what=$1
    shift
    log=$venv/install.log
    if ! "$@" >"$log" 2>&1 </dev/null; then
        tail -n 20 "$log" >&2
        die "$what failed (above; the whole of it is in $log). Is the package index reachable?"
    fi
}

# prepare EXTRA: .venv with soulsync from this checkout and the packages of `base`, `test` or `dev`.
prepare() {
    ! up_to_date "$1" || return 0
    python=$(find_python)
    if ! [ -f "$venv/made-for-base" ] || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        echo "Making .venv with $("$python" --version) ..." >&2
        "$python" -m venv --clear "$venv" || die "the environment $venv can't be made. Is the disk writable?"
    fi
    rm -f "$venv"/made-for-*
    case $1 in
        base) what=$root covers=base ;;
        test) what="${root}[test]" covers='base test' ;;
        dev) what="${root}[dev]" covers='base test dev' ;;
        *) die "there is no extra $1" ;;
    esac
    echo "Installing soulsync and what it needs into .venv ..." >&2
    quietly 'The installation' "$venv/bin/python" -m pip install --quiet --editable "$what"
    # pip compiles what it copies; a checkout is compiled here, also where the environment forbids Python to do it later.
    quietly 'Compiling' "$venv/bin/python" -m compileall -q "$root/soulsync"
    for extra in $covers; do
        fingerprint >"$venv/made-for-$extra"
    done
}
