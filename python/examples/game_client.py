"""Play a game through `goalspec serve`, as a program in any language can: requests and replies are lines of JSON."""

import json
import random
import subprocess
import sys
from typing import Any

COMMAND = [sys.executable, "-m", "goalspec", "serve", "@berries"]


def main() -> None:
    """Play a game with random legal actions."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdin is not None and service.stdout is not None

        requests, replies = service.stdin, service.stdout

        def call(method: str, **arguments: object) -> dict[str, Any]:
            print(json.dumps({"method": method, **arguments}), file=requests, flush=True)
            reply: dict[str, Any] = json.loads(replies.readline())
            if "error" in reply:
                raise RuntimeError(reply["error"])
            return reply

        choices = random.Random(1)
        state = call("reset", seed=7, index=0)
        totals = dict.fromkeys(call("describe")["teams"], 0.0)
        while state["end"] is None:
            state = call("step", action=choices.choice(call("legal")["texts"]))
            for team, reward in state["rewards"].items():
                totals[team] += reward
        print(f"game 0 of seed 7: {state['end']} after {state['turn']} turns, rewards {totals}")
        requests.close()


if __name__ == "__main__":
    main()
