"""JupyterHub for one class on one Linux machine. docs/deploy.md says how it is used.

Every learner has an account of the system, and a working copy of the course in ~/my_forge, which is brought
up to date whenever their server starts. With FORGE_HUB_TRIAL=1 anybody may enter under any name, without a
password and without separation: to try it alone, on loopback.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub gives it)

PROGRAMS = Path(sys.prefix) / "bin"
START = f"""
import os, sys
from pathlib import Path
from forge.course.lab import lab_environment, open_workspace, sign
folder = Path.home() / "my_forge"
open_workspace(folder)
environment = lab_environment(folder)
sign(folder, Path(environment["JUPYTER_DATA_DIR"]))
os.execve({str(PROGRAMS / "jupyterhub-singleuser")!r}, ["jupyterhub-singleuser", *sys.argv[1:]], environment)
"""

c.JupyterHub.bind_url = os.environ.get("FORGE_HUB_URL", "http://127.0.0.1:8000")  # TLS ends in front of it
c.ConfigurableHTTPProxy.command = os.environ.get("FORGE_HUB_PROXY", "configurable-http-proxy")

c.Spawner.cmd = [str(PROGRAMS / "python"), "-c", START]
c.Spawner.notebook_dir = "~/my_forge"
c.Spawner.default_url = "/lab/tree/00_start_here.ipynb"
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120

if os.environ.get("FORGE_HUB_TRIAL"):
    if not c.JupyterHub.bind_url.startswith("http://127.0.0.1:"):
        sys.exit("a trial is open to anybody: it listens on 127.0.0.1 only")
    c.JupyterHub.authenticator_class = "dummy"
    c.JupyterHub.spawner_class = "simple"
    c.Authenticator.allow_all = True
    c.Spawner.args = ["--allow-root"] if os.geteuid() == 0 else []
else:
    c.JupyterHub.authenticator_class = "pam"  # the system's own accounts and passwords
    c.Authenticator.allowed_users = set(os.environ.get("FORGE_HUB_LEARNERS", "").split())
    c.Authenticator.admin_users = set(os.environ.get("FORGE_HUB_INSTRUCTORS", "").split())
