"""One proof: `proof.py NAME FOLDER`, the folder being what the example launch_plans wrote. The last line says what was shown. It ends with
77, and the reason, where the engine is not there."""

import importlib.metadata
import signal
import sys
from pathlib import Path

NOT_RUN = 77


def main():
    # When the time is up, what was started is ended: SystemExit passes through every `finally`.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("it took too long"))
    name, plans = sys.argv[1], Path(sys.argv[2])
    if name == "hostile":
        import hostile

        print(hostile.prove(plans / "hostile"))
    elif name in ("torchrun", "machines", "fsdp", "python", "tensorflow", "ray"):
        import engines

        print(getattr(engines, name)(plans))
    elif name == "slurm":
        import slurm

        missing = slurm.missing()
        if missing:
            print(missing)
            sys.exit(NOT_RUN)
        print(slurm.prove(plans / "slurm"))
    elif name in ("kubernetes", "kubeflow"):
        import manifests

        print(getattr(manifests, name)(plans / "manifests"))
    else:
        sys.exit(f"no proof is called {name}")


def version(package):
    return f"{package} {importlib.metadata.version(package)}"


if __name__ == "__main__":
    main()
