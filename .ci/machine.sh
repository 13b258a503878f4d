# shellcheck shell=bash
# For .ci/run and .ci/nightly: `. .ci/machine.sh` in the checkout installs what a bare machine lacks,
# and makes $work, a temporary folder with a clone of the checkout, so that leftovers in the checkout
# have no effect. At the end it removes the folder and ends what still runs in the background
# ($beside). $programs names the packages of further programs that are needed.

packages=()
command -v gcc >/dev/null || packages+=(gcc libc6-dev) # what Python was compiled with
command -v git >/dev/null || packages+=(git)
[ -x /usr/games/stockfish ] || command -v stockfish >/dev/null || packages+=(stockfish)
command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    packages+=(chromium chromium-driver)
for program in xboard polyglot Xvfb ${programs:-}; do
    command -v "$program" >/dev/null || [ -x "/usr/games/$program" ] || [ -x "/usr/sbin/$program" ] ||
        packages+=("$(tr '[:upper:]' '[:lower:]' <<<"$program")")
done
python=${PYTHON:-python3}
"$python" -c 'import venv, ensurepip' 2>/dev/null || packages+=(python3 python3-venv)
"$python" -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")' \
    2>/dev/null || packages+=(python3-dev)
if [ ${#packages[@]} -gt 0 ]; then
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${packages[@]}"
fi
export PATH="$PATH:/usr/games"
unset PYTHONPATH              # or another checkout might be tested
unset PYTHONDONTWRITEBYTECODE # or thousands of processes would each compile what they import
export HALBZUG_COMPILED=require # or a build could silently become pure
export PIP_NO_COMPILE=1         # most of what is installed is never imported
export CI=1                     # property tests try the same examples each time

work=$(mktemp -d)
beside=
trap 'kill -- ${beside:+-$beside} 2>/dev/null || true; rm -rf "$work"' EXIT
git clone -q . "$work/halbzug"
if [ -d ../shared ]; then ln -s "$(cd ../shared && pwd)" "$work/shared"; fi
export HALBZUG_C_FOLDER=$work/c # Cython translates each version of a source only once

# The command in the README's code block that follows the given marker.
readme_command() {
    sed -n "/<!-- $1 -->/,/^\`\`\`\$/p" README.md | grep -v -e '^<!--' -e '^```'
} # grep fails if there is no such block

# Makes a pure installation for the tests, with a tenth of pip's work: FOLDER [PACKAGE ...].
install_pure() {
    git clone -q "$work/halbzug" "$1"
    "$python" -m venv "$1/.venv"
    "$1/.venv/bin/pip" install -q "uv>=0.5"
    (cd "$1" && HALBZUG_PURE=1 HALBZUG_COMPILED="" \
        .venv/bin/uv pip install -q --python .venv/bin/python -e ".[test]" "${@:2}")
}
