"""Exit with 0 while the service in this container is ready, else with 1 and the reason: a health check without curl."""

import os
import sys
import urllib.error
import urllib.request

url = f"http://127.0.0.1:{os.environ['METRICS_PORT']}/readyz"
try:
    with urllib.request.urlopen(url, timeout=4) as answer:
        print(answer.read().decode().strip())
except urllib.error.HTTPError as error:  # it answers that it is not ready, and why
    sys.exit(error.read().decode().strip())
except OSError as error:
    sys.exit(f"{url}: {error}")
