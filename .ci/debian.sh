# shellcheck shell=bash
# For the scripts that try Halbzug in a Debian system of their own: `. .ci/debian.sh`. Needs root and
# the package debootstrap.

# Runs the script again in its own namespaces, so that mounts and emulators that are registered with
# the kernel do not affect this machine. All users are mapped to themselves, because Debian's packages
# use several. $work is then a temporary folder, which is removed at the end.
in_namespaces() {
    if [ -n "${IN_NAMESPACE:-}" ]; then
        work=$IN_NAMESPACE
        unset IN_NAMESPACE
        return
    fi
    local code=0
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    mkfifo "$work/mapped"
    # shellcheck disable=SC2016 # the shell in there expands it
    IN_NAMESPACE=$work unshare --user --mount --pid --fork --kill-child \
        bash -c 'read -r <"$IN_NAMESPACE/mapped"; exec "$0" "$@"' "$PWD/.ci/${0##*/}" "$@" &
    until [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/$$/ns/user)" ]; do sleep 0.1; done
    echo 0 0 65536 >"/proc/$!/uid_map"
    echo 0 0 65536 >"/proc/$!/gid_map"
    echo >"$work/mapped"
    wait $! || code=$?
    exit $code
}

# Makes a Debian system in a folder, or completes one: make_debian FOLDER SUITE PACKAGES ARCHITECTURE.
make_debian() {
    local root=$1
    PATH=$PATH:/usr/sbin:/sbin
    if [ -e "$root/complete" ]; then
        add_devices "$root"
        return
    fi
    echo "== Debian $2 for $4"
    # debootstrap cannot make devices here, so do not let it try.
    export container=lxc
    debootstrap --arch="$4" --foreign --variant=minbase --include="$3" "$2" "$root"
    add_devices "$root"
    chroot "$root" /debootstrap/debootstrap --second-stage
    touch "$root/complete"
}

# Mounts this machine's devices, shared memory and processes, and an empty /tmp.
add_devices() {
    local device
    mount -t tmpfs none "$1/dev"
    for device in null zero full random urandom tty; do
        touch "$1/dev/$device"
        mount --bind "/dev/$device" "$1/dev/$device"
    done
    mkdir "$1/dev/shm"
    mount -t tmpfs none "$1/dev/shm"
    mountpoint -q "$1/proc" || mount -t proc none "$1/proc"
    mount -t tmpfs none "$1/tmp"
}

# Makes a fresh machine: add_machine ROOT FOLDER. Its changes to the Debian system in ROOT stay in
# memory.
add_machine() {
    mkdir "$2"
    mount -t tmpfs none "$2"
    mkdir "$2/changes" "$2/rest" "$2/root"
    mount -t overlay -o "userxattr,lowerdir=$1,upperdir=$2/changes,workdir=$2/rest" none "$2/root"
    add_devices "$2/root"
}

# Runs a command in it, with an empty environment: enter ROOT COMMAND.
enter() {
    local root=$1
    shift
    chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# Installs packages, silently if all goes well: install_packages ROOT PACKAGES.
install_packages() {
    local root=$1
    shift
    # A mirror may be an old snapshot.
    enter "$root" apt-get update -qq -o Acquire::Check-Valid-Until=false
    enter "$root" apt-get install -y -qq --no-install-recommends "$@" >"$work/apt.log" 2>&1 ||
        { cat "$work/apt.log"; return 1; }
}

# Makes the source distribution of the last commit, $archive in $work, with the environment $work/venv.
make_distribution() {
    echo "== the source distribution"
    export SOURCE_DATE_EPOCH=1767225600 PIP_DISABLE_PIP_VERSION_CHECK=1
    mkdir "$work/checkout"
    git ls-files -z | tar --null -T - -c | tar -x -C "$work/checkout"
    "${PYTHON:-python3}" -m venv "$work/venv"
    "$work/venv/bin/pip" install -q "setuptools>=77" "cython>=3.1,<4" chess==1.11.2
    (cd "$work/checkout" && "$work/venv/bin/python" setup.py -q sdist --dist-dir "$work")
    # shellcheck disable=SC2034 # for the caller
    archive=$(cd "$work" && echo halbzug-*.tar.gz)
}

# Collects what a machine without a network installs, for a version of Python, in $work/wheels, beside
# the distribution and .ci/install_and_play.sh: gather VERSION [PLATFORM].
gather() {
    mkdir "$work/wheels"
    cp "$work/$archive" .ci/install_and_play.sh .ci/smoke_play.py tests/signatures.json "$work/wheels"
    "$work/venv/bin/pip" wheel -q -w "$work/wheels" chess==1.11.2 click markdown-it-py rich
    "$work/venv/bin/pip" download -q -d "$work/wheels" --python-version "$@" \
        --only-binary=:all: "setuptools>=77" "cython>=3.1,<4"
    ls "$work/wheels"
}
