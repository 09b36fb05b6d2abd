#!/usr/bin/env bash
# Starts the generated launch plans with the real engines, on this machine, on its CPU.
#   tests/launch/run.sh [ENGINE…]      all engines, or those named: hostile torchrun machines fsdp python tensorflow ray slurm kubernetes kubeflow
# A line per proof: PASS, FAIL, or NOT RUN with the reason. It ends with 1 if one failed. The first start installs some 5 GB into
# .launch/ (pinned in requirements.txt) and, as root, Slurm from the system's packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

here=tests/launch
work=${LAUNCH_WORK:-.launch}
venv=$work/venv
mkdir -p "$work"
work=$(realpath "$work")

if ! cmp -s $here/requirements.txt "$venv/.installed"; then
    echo "installing the engines into $venv (about 4 minutes)"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --no-cache-dir -r $here/requirements.txt
    cp $here/requirements.txt "$venv/.installed"
fi
if ! { command -v slurmctld && command -v slurmd && command -v munged && command -v sbatch; } >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing Slurm"
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge; } \
        >"$work/apt.log" 2>&1 || echo "it could not be installed: see $work/apt.log"
fi

rm -rf "$work/plans" "$work/logs"
mkdir -p "$work/logs"
cargo run --quiet --locked --example launch_plans -- "$work/plans"

export PATH=$(realpath "$venv")/bin:$PATH TF_CPP_MIN_LOG_LEVEL=2 OMP_NUM_THREADS=1 CUDA_VISIBLE_DEVICES=
passed=0 failed=0 skipped=0
for proof in "${@:-hostile torchrun machines fsdp python tensorflow ray slurm kubernetes kubeflow}"; do
    for name in $proof; do
        log=$work/logs/$name.log code=0
        timeout 300 python3 $here/proof.py "$name" "$work/plans" >"$log" 2>&1 || code=$?
        last=$(tail -n 1 "$log")
        case $code in
            0) echo "PASS     $name: $last" && passed=$((passed + 1)) ;;
            77) echo "NOT RUN  $name: $last" && skipped=$((skipped + 1)) ;;
            *) echo "FAIL     $name: $last (whole log: $log)" && failed=$((failed + 1)) ;;
        esac
    done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
