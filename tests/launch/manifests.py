"""The manifests against the schemas of Kubernetes (strict: an unknown field is an error) and against Kubeflow's own models."""

import yaml

from proof import version

VERSIONS = ["1.35", "1.36", "1.37"]


def kubernetes(folder):
    count = 0
    for path in sorted(folder.glob("*/kubernetes/kubernetes.yaml")):
        documents = list(yaml.safe_load_all(path.read_text()))
        kinds = [document["kind"] for document in documents]
        if kinds != ["ConfigMap", "PersistentVolumeClaim", "Service", "Job"]:
            raise SystemExit(f"{path}: {kinds}")
        for document in documents:
            strict(document)
            count += 1
    must_refuse({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x"}, "spec": {"template": {"spec": {"container": []}}}})
    must_refuse({"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": {"ports": [{"port": "a"}]}})
    return f"{version('kubernetes-validate')}, strict, Kubernetes {', '.join(VERSIONS)}: {count} objects accepted, 2 wrong ones refused"


def kubeflow(folder):
    count = 0
    for path in sorted(folder.glob("*/kubeflow/*job.yaml")):
        *others, job = yaml.safe_load_all(path.read_text())
        for document in others:
            strict(document)
        trainjob(job) if path.name == "trainjob.yaml" else pytorchjob(job)
        count += 1
    wrong = yaml.safe_load(TRAINJOB_WITH_TYPO)
    try:
        trainjob(wrong)
    except SystemExit:
        pass
    else:
        raise SystemExit("a TrainJob with an unknown field was accepted")
    return (
        f"{version('kubeflow-trainer-api')} and {version('kubeflow-training')}: {count} jobs read and written back unchanged, "
        "their pods strict; a wrong one refused (no controller ran)"
    )


TRAINJOB_WITH_TYPO = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: x}
spec: {runtimeRef: {name: torch-distributed}, trainer: {numNode: 2}}
"""


def strict(document):
    import kubernetes_validate

    for kubernetes_version in VERSIONS:
        try:
            kubernetes_validate.validate(document, kubernetes_version, strict=True)
        except Exception as error:  # it has several classes of its own
            raise SystemExit(f"{document['kind']}, Kubernetes {kubernetes_version}: {error}") from error


def must_refuse(document):
    try:
        strict(document)
    except SystemExit:
        return
    raise SystemExit(f"a wrong {document['kind']} was accepted")


def trainjob(job):
    """Its model knows no more than the API's fields: what it does not know is gone when it is written back."""
    from kubeflow_trainer_api.models import TrainerV1alpha1TrainJob

    unchanged(job, TrainerV1alpha1TrainJob.from_dict(job).to_dict())
    patches = job["spec"]["runtimePatches"][0]["trainingRuntimeSpec"]["template"]["spec"]["replicatedJobs"]
    for patch in patches:
        spec = patch["template"]["spec"]["template"]["spec"]
        pod({**spec, "containers": [{**container, "image": "i"} for container in spec["containers"]]})
    trainer = job["spec"]["trainer"]
    container = {key: trainer[key] for key in ("image", "command", "args", "env")}
    pod({"containers": [{"name": "node", "resources": trainer["resourcesPerNode"], **container}]})


def pytorchjob(job):
    import json
    from types import SimpleNamespace

    from kubeflow.training import KubeflowOrgV1PyTorchJob, models
    from kubernetes.client import ApiClient
    from kubernetes.client import models as core

    client = ApiClient()
    for name in dir(models):
        if not hasattr(core, name):
            setattr(core, name, getattr(models, name))
    read = client.deserialize(SimpleNamespace(data=json.dumps(job)), KubeflowOrgV1PyTorchJob)
    unchanged(job, client.sanitize_for_serialization(read))
    for replica in job["spec"]["pytorchReplicaSpecs"].values():
        pod(replica["template"]["spec"])


def pod(spec):
    strict({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": spec})


def unchanged(before, after):
    if texts(before) != texts(after):
        raise SystemExit(f"{before['kind']}: the model reads something else:\n{texts(before)}\n{texts(after)}")


def texts(value):
    """Quantities are numbers or texts: compared as texts. Fields without a value are no fields."""
    if isinstance(value, dict):
        return {key: texts(part) for key, part in value.items() if part is not None}
    if isinstance(value, list):
        return [texts(part) for part in value]
    return value if isinstance(value, bool) else str(value)
