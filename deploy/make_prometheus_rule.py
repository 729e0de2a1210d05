"""Generate the PrometheusRule for Kubernetes from deploy/prometheus/alerts.yml. Needs only Python."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ALERTS = ROOT / "deploy/prometheus/alerts.yml"
RULE = ROOT / "deploy/kubernetes/monitoring/prometheusrule.yaml"
HEAD = """\
# Made by deploy/make_prometheus_rule.py from deploy/prometheus/alerts.yml: change that, and make this anew.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: muster
spec:
"""


def render(alerts: str) -> str:
    """Return the manifest with the groups of a file of alerts."""
    groups = alerts[alerts.index("groups:") :]
    return HEAD + "".join(f"  {line}\n" if line else "\n" for line in groups.splitlines())


if __name__ == "__main__":
    RULE.write_text(render(ALERTS.read_text(encoding="utf-8")), encoding="utf-8")
