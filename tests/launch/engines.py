"""Each engine trains, saves, is killed and goes on; what it then computes must be what an undisturbed run computes."""

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

from proof import version

STEP = re.compile(r"\bstep (\d+) loss ([\d.]+)")
STEPS, EVERY = 60, 10


def torchrun(plans):
    return f"{version('torch')}: {killed_and_resumed(plans / 'torchrun', ['./torchrun.sh'])}"


def machines(plans):
    """The launch file for two machines, started twice here: two agents of one process each, that meet at HEAD_NODE."""
    folder = plans / "machines"
    (folder / "torchrun.sh").chmod(0o755)
    environment = {**os.environ, "HEAD_NODE": "127.0.0.1", "HEAD_PORT": str(free_port())}
    agents = [started(folder, ["./torchrun.sh", "--lr", "3e-3"], environment) for _ in range(2)]
    try:
        said = [agent.communicate(timeout=120)[0] for agent in agents]
    except BaseException:
        for agent in agents:
            kill_group(agent.pid)
        raise
    text = "".join(said)
    print(text)
    expect([agent.returncode for agent in agents] == [0, 0], "an agent failed", text)
    expect("over 2 processes" in text and text.count("done") == 1, "the two did not work together", text)
    losses = steps(text)
    expect(max(losses) == STEPS and losses[STEPS] < losses[1] - 0.3, "the loss does not fall", text)
    return f"{version('torch')}: the file for 2 machines, started twice on this one: they met and trained {STEPS} steps together"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def fsdp(plans):
    """The same launch file; full sharding, and hybrid as two copies of one process each."""
    said = [
        killed_and_resumed(plans / "torchrun", ["./torchrun.sh", "--sharding", "fsdp"]),
        killed_and_resumed(plans / "torchrun", ["./torchrun.sh", "--sharding", "hsdp", "--shard-within", "1"]),
        killed_and_resumed(plans / "torchrun", ["./torchrun.sh", "--sharding", "zero2", "--precision", "fp32", "--recompute", "full"]),
    ]
    return f"{version('torch')}: full, hybrid, ZeRO-2: {said[0]}"


def python(plans):
    return f"{version('torch')}: {killed_and_resumed(plans / 'python', ['./run.sh'])}"


def tensorflow(plans):
    said = killed_and_resumed(plans / "tensorflow", ["./run_tf.sh", "--cpu-copies", "2"], kill_after=2 * EVERY)
    return f"{version('tensorflow-cpu')}: 2 copies, {said}"


def killed_and_resumed(folder, command, kill_after=2 * EVERY):
    """Runs undisturbed, then killed with SIGKILL after a checkpoint, then the same command again."""
    for script in folder.glob("*.sh"):
        script.chmod(0o755)
    tag = re.sub(r"\W+", "-", "".join(command))
    common = [*command, "--lr", "3e-3", "--steps", str(STEPS)]
    whole = run(folder, [*common, "--checkpoint-dir", f"whole{tag}"])
    expect("starts at step 0" in whole and "done" in whole, "the undisturbed run does not end", whole)
    losses = steps(whole)
    expect(sorted(losses) == list(range(1, STEPS + 1)), "steps are missing", whole)
    expect(losses[STEPS] < losses[1] - 0.3, f"the loss does not fall: {losses[1]} to {losses[STEPS]}", whole)

    broken = run(folder, [*common, "--checkpoint-dir", f"broken{tag}"], kill_at=f"checkpoint after step {kill_after}")
    expect("done" not in broken, "it was too fast to be killed", broken)
    again = run(folder, [*common, "--checkpoint-dir", f"broken{tag}"])
    found = re.search(r"resumed after step (\d+)", again)
    expect(found and int(found[1]) >= kill_after and int(found[1]) % EVERY == 0, "it does not resume", again)
    resumed = steps(again)
    expect(min(resumed) == int(found[1]) + 1 and max(resumed) == STEPS and "done" in again, "it resumes at the wrong step", again)
    apart = max(abs(resumed[step] - losses[step]) for step in resumed)
    expect(apart < 0.002, f"the resumed run computes something else: {apart}", again)
    return f"trained {STEPS} steps (loss {losses[1]} to {losses[STEPS]}), killed, resumed after step {found[1]}, same losses as undisturbed"


def ray(plans):
    """A worker is killed; Ray starts the group again by itself."""
    folder = plans / "ray"
    command = ["python3", "train_ray.py", "--lr", "3e-3", "--steps", "300"]
    # Ray writes a token into the home folder: not into that of the person.
    environment = {**os.environ, "HOME": str(plans), "RAY_USAGE_STATS_ENABLED": "0", "PYTHONUNBUFFERED": "1"}
    process = started(folder, command, environment)
    lines, victim = [], None
    try:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            found = re.search(r"pid=(\d+).*\bcheckpoint after step \d+", line)
            if found and not victim:
                victim = int(found[1])
                expect(b"RayTrainWorker" in Path(f"/proc/{victim}/cmdline").read_bytes(), "the process is no worker of Ray Train", line)
                os.kill(victim, signal.SIGKILL)
    except BaseException:
        kill_group(process.pid)
        raise
    text = "".join(lines)
    expect(process.wait() == 0 and victim, "Ray failed", text)
    found = re.search(r"resumed after step (\d+)", text)
    expect(found and "'step': 300" in text, "it does not resume", text)
    losses = steps(text)
    expect(losses[300] < losses[1] - 0.3, "the loss does not fall", text)
    return f"{version('ray')}: 2 workers, one killed, Ray started both again, resumed after step {found[1]}, ended at step 300"


def run(folder, command, kill_at=None):
    """What the command prints. With `kill_at` its process group is killed when this text comes."""
    print("$", *command, flush=True)
    process = started(folder, command)
    lines, killed = [], False
    try:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            if kill_at and kill_at in line and not killed:
                killed = True
                kill_group(process.pid)
    except BaseException:
        kill_group(process.pid)
        raise
    code = process.wait()
    expect(killed or code == 0, f"it ended with {code}", "".join(lines))
    return "".join(lines)


def started(folder, command, environment=None):
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def kill_group(leader):
    """SIGKILL to the processes of this session: torchrun gives its workers groups of their own."""
    sessions = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                sessions[int(entry.name)] = (int(fields[3]), int(fields[1]))
            except OSError:
                continue
    family = {leader}
    while True:
        more = {pid for pid, (session, parent) in sessions.items() if session == leader or parent in family} - family
        if not more:
            break
        family |= more
    for pid in family:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    time.sleep(0.5)


def steps(text):
    return {int(step): float(loss) for step, loss in STEP.findall(text)}


def expect(holds, complaint, _text):
    if not holds:
        raise SystemExit(complaint)
