"""A real slurmctld and slurmd on this machine take the batch file as it is and run it; the job is killed and queued again, and goes on."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from engines import expect, steps

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "srun"]

CONFIGURATION = """
ClusterName=proof
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
SlurmctldPort={port}
SlurmdPort={next_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobRequeue=1
ReturnToService=2
SlurmdTimeout=60
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} Gres=gpu:2 State=UNKNOWN
PartitionName=proof Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    absent = [program for program in PROGRAMS if not shutil.which(program)]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return "" if os.geteuid() == 0 else "slurmd wants root"


def prove(plan):
    folder = Path(tempfile.mkdtemp(prefix="slurm-proof-", dir="/tmp"))
    folder.chmod(0o755)
    daemons = []
    try:
        start(folder, daemons)
        return jobs(plan, folder)
    except BaseException:
        for log in ["slurmctld.log", "slurmd.log", "munged.log"]:
            if (folder / log).exists():
                print(f"--- {log}", *(folder / log).read_text().splitlines()[-25:], sep="\n")
        raise
    finally:
        if os.environ.get("SLURM_CONF") == str(folder / "slurm.conf"):  # never the jobs of another cluster
            output("scancel", "--partition=proof", check=False)
            time.sleep(2)  # a step that outlives its slurmd would stay for ever
        for daemon in reversed(daemons):
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(15)
            except subprocess.TimeoutExpired:
                daemon.kill()
        shutil.rmtree(folder, ignore_errors=True)


def start(folder, daemons):
    host = socket.gethostname().split(".")[0]
    port = free_ports()
    for name in ["state", "spool"]:
        (folder / name).mkdir()
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(host=host, folder=folder, port=port, next_port=port + 1, cpus=os.cpu_count())
    )
    # This machine has no GPU, and Slurm counts only those that have a device file.
    (folder / "gres.conf").write_text("Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n")
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")

    def launch(*command):
        daemons.append(subprocess.Popen(command, stdout=(folder / "out.log").open("ab"), stderr=subprocess.STDOUT))

    launch(
        "munged", "--foreground", "--force", f"--key-file={key}", f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
        f"--log-file={folder}/munged.log", f"--seed-file={folder}/munged.seed",
    )
    wait_until(lambda: (folder / "munge.socket").exists(), 10, "munged does not start")
    launch("slurmctld", "-D")
    launch("slurmd", "-D", "-N", host)
    wait_until(lambda: "idle" in output("sinfo", "-h", "-o", "%T"), 60, "the node does not become idle")


def jobs(plan, folder):
    version = output("sbatch", "--version").split()[1]
    job = submit(plan, "--lr", "3e-3", "--steps", "120")
    log = next_log(plan, job)
    wait_until(lambda: "checkpoint after step 20" in log(), 90, "no checkpoint comes")
    output("scontrol", "requeue", job)
    # Slurm lets a job wait two minutes before it starts again; not here.
    wait_until(lambda: state(job) == "PENDING", 60, "the job is not back in the queue")
    output("scontrol", "update", f"JobId={job}", "StartTime=now")
    wait_until(lambda: "done" in log() or state(job) in ("", "FAILED"), 150, "the job does not end")
    text = log()
    print(text)
    found = re.search(r"resumed after step (\d+)", text)
    expect(found and "done" in text, f"the job did not resume: {state(job)}", text)
    losses = steps(text)
    expect(max(losses) == 120 and losses[120] < losses[1] - 0.3, "the loss does not fall", text)
    wait_until(lambda: state(job) in ("", "COMPLETED"), 30, f"the job's state is {state(job)}")
    name = re.search(r"^.*parameters.*$", text, re.M)[0]
    expect("touch HARM" in name and not list(plan.glob("HARM*")), "the name did harm", text)
    return f"Slurm {version}: sbatch took the file, slurmd ran 2 processes; put back into the queue, resumed after step {found[1]}, ended at step 120"


def submit(plan, *arguments):
    said = output("sbatch", "--parsable", "train.sbatch", *arguments, cwd=plan)
    return said.strip().split(";")[0]


def next_log(plan, job):
    def log():
        return "".join(path.read_text() for path in plan.glob(f"*-{job}.log"))

    return log


def state(job):
    found = re.search(r"JobState=(\w+)", output("scontrol", "show", "job", job, check=False))
    return found[1] if found else ""


def output(*command, cwd=None, check=True):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if check and done.returncode and command[0] != "sinfo":
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def free_ports():
    """Two that are free, side by side."""
    for port in range(26817, 27817, 2):
        with socket.socket() as first, socket.socket() as second:
            try:
                first.bind(("127.0.0.1", port))
                second.bind(("127.0.0.1", port + 1))
                return port
            except OSError:
                continue
    raise SystemExit("no two free ports")


def wait_until(holds, seconds, complaint):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(complaint)
        time.sleep(0.3)
