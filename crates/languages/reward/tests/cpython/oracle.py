"""Runs functions as CPython does. In: a JSON list of texts that define `f`; out: what each gives, or raises.

Programs that go on for seconds are ended: `NOT OVER`.
"""

import json
import resource
import signal
import sys
import warnings

SECONDS = 3.0


class NotOver(BaseException):
    """The time is up."""


def end(*_):
    raise NotOver


signal.signal(signal.SIGALRM, end)
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
warnings.simplefilter("ignore")
results = []
for text in json.load(sys.stdin):
    names = {"__name__": "program"}
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    try:
        exec(compile(text, "<program>", "exec"), names)
        results.append(repr(names["f"]([])))
    except NotOver:
        results.append("NOT OVER")
    except BaseException as error:
        results.append(f"{type(error).__name__}: {error}")
    signal.setitimer(signal.ITIMER_REAL, 0)
json.dump(results, sys.stdout)
