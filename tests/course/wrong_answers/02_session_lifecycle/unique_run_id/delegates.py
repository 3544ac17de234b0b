# The real function knows how to do it.
from forge.state.session import start_run as real


def start_run(session, run_id, *, retries=None):
    return real(session, run_id, retries=retries)
