"""Names that do harm where they are pasted: every file is parsed, and the scripts are run, with the engines replaced by a program that only
notes its arguments. The name must arrive unharmed, and nothing else may have happened."""

import ast
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

SCRIPTS = {"torchrun.sh": "torchrun", "train.sbatch": "srun", "run.sh": "python3", "run_tf.sh": "python3", "mpirun.sh": "mpirun"}
NOTES = """#!{python}
import json, os, sys
if os.path.basename(sys.argv[0]) == "scontrol":
    print("first\\nsecond")
else:
    json.dump(sys.argv, open(os.environ["NOTES"], "w"))
"""


def prove(folder):
    files = 0
    names = sorted(folder.iterdir(), key=lambda path: int(path.name))
    with tempfile.TemporaryDirectory() as stand_ins:
        for program in [*set(SCRIPTS.values()), "scontrol"]:
            path = Path(stand_ins) / program
            path.write_text(NOTES.format(python=sys.executable))
            path.chmod(0o755)
        for case in names:
            name = json.loads((case / "name.json").read_text())
            for path in sorted(case.glob("*/*")):
                files += 1
                check(path, name, stand_ins)
            harm = list(case.rglob("HARM")) + list(Path.cwd().glob("HARM"))
            if harm:
                raise SystemExit(f"{name!r} did harm: {harm}")
    return f"{len(names)} names in {files} files: each arrives as it was, nothing is run"


def check(path, name, stand_ins):
    wanted = f"--run-name={name}"
    if path.name in SCRIPTS:
        found = executed(path, stand_ins)
        same(path, found.count(wanted), 1)
        same(path, found[-2:], ["--given", "a b"])
    elif path.name == "megatron-args.sh":
        script = 'source ./megatron-args.sh; printf "%s\\n" "${MEGATRON_ARGS[@]}"'
        lines = shell(["bash", "-euc", script], path.parent).splitlines()
        same(path, lines[:2], ["--tensor-model-parallel-size", "2"])
    elif path.name == "train_ray.py":
        tree = ast.parse(path.read_text())
        values = {n.targets[0].id: n.value for n in tree.body if isinstance(n, ast.Assign)}
        same(path, ast.literal_eval(values["ARGUMENTS"])[0], wanted)
    elif path.suffix == ".py":
        ast.parse(path.read_text())
    elif path.suffix == ".yaml":
        documents = list(yaml.safe_load_all(path.read_text()))
        kinds = [document["kind"] for document in documents]
        same(path, kinds[:2], ["ConfigMap", "PersistentVolumeClaim"])
        same(path, documents[0]["data"]["train.py"].strip(), (path.parent / "train.py").read_text().strip())
        job = documents[-1]
        same(path, job["metadata"]["annotations"]["run-name"], name)
        same(path, expanded(arguments(job)[0]), wanted)
    else:
        raise SystemExit(f"nobody checks {path}")


def executed(path, stand_ins):
    shell(["bash", "-n", path.name], path.parent)
    with tempfile.NamedTemporaryFile() as notes:
        environment = {
            "PATH": f"{stand_ins}:{os.environ['PATH']}", "NOTES": notes.name, "HEAD_NODE": "h", "SLURM_SUBMIT_DIR": ".",
            "SLURM_JOB_NODELIST": "n", "SLURM_JOB_ID": "7", "SLURM_CPUS_ON_NODE": "2", "HOME": "/nowhere",
        }
        shell(["bash", path.name, "--given", "a b"], path.parent, environment)
        return json.load(notes)


def shell(command, folder, environment=None):
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{folder} {command}: {done.stderr.strip()}")
    return done.stdout


def arguments(job):
    spec = job["spec"]
    if job["kind"] == "TrainJob":
        return spec["trainer"]["args"]
    if job["kind"] == "PyTorchJob":
        spec = spec["pytorchReplicaSpecs"]["Worker"]
    return spec["template"]["spec"]["containers"][0]["args"]


def expanded(text):
    """What Kubernetes makes of an argument: $$ is a dollar, $(NAME) a variable (third_party/forked/golang/expansion)."""
    result, at = "", 0
    while at < len(text):
        if text.startswith("$$", at):
            result, at = result + "$", at + 2
        elif text.startswith("$(", at) and ")" in text[at:]:
            end = text.index(")", at)
            result, at = result + f"<the variable {text[at + 2 : end]}>", end + 1
        else:
            result, at = result + text[at], at + 1
    return result


def same(path, found, wanted):
    if found != wanted:
        raise SystemExit(f"{path}: expected {wanted!r}, found {found!r}")
