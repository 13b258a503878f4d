# shellcheck shell=sh
# The scripts that try a fresh machine run this on it: install_and_play.sh MACHINE FILE BUILD installs
# FILE from /wheels with PYTHON, runs doctor and the benchmark, prints a row for the table in LEDGER.md,
# and plays. BUILD is compiled or pure; it is an error if the result is the other one.
set -eu
cd /root
"${PYTHON:-python3}" -m venv venv
started=$(date +%s)
pip="venv/bin/pip --disable-pip-version-check"
$pip wheel -q --no-index --find-links /wheels --no-deps -w built "$2" # as install does
$pip install -q --no-index --find-links /wheels built/halbzug-*.whl
seconds=$(($(date +%s) - started))
venv/bin/halbzug --version
venv/bin/halbzug doctor --json >doctor.json || true
venv/bin/halbzug bench --depth 5 --json >bench.json
venv/bin/python - "$@" $seconds <<'ROW'
import json, platform, sys
machine, _, build, seconds = sys.argv[1:]
doctor, bench = json.load(open("doctor.json")), json.load(open("bench.json"))
pinned = json.load(open("/wheels/signatures.json"))["5"]
assert (bench["signature"], bench["build"]) == (pinned, build), (pinned, bench)
wrong = [one for one in doctor["troubles"] if "without compiled code" not in one or build != "pure"]
assert not wrong, wrong
print(f"| {machine}, CPython {platform.python_version()} | {platform.machine()} "
      f"| {seconds} s | {bench['signature']} | {bench['nps']:,} |", flush=True)
ROW
venv/bin/python /wheels/smoke_play.py venv/bin/halbzug
