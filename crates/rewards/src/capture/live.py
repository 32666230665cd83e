"""Plays an Atari game and prints its RAM, frame by frame, as a recording without objects."""

import json
import random
import sys


def main(environment, game, policy, constant, steps, seed, hud, quirks):
    try:
        import ale_py
        import gymnasium
    except ImportError as error:
        print(f"Python has no module `{error.name}`", file=sys.stderr)
        sys.exit(3)
    gymnasium.register_envs(ale_py)
    env = gymnasium.make(environment)
    meanings = env.unwrapped.get_action_meanings()
    chance = random.Random(seed)
    header = {
        "format": "goalspec-screens-1",
        "game": game,
        "env_id": environment,
        "policy": policy,
        "seed": seed,
        "hud": hud,
        "quirks": quirks,
        "action_meanings": meanings,
        "versions": {"ale-py": ale_py.__version__, "gymnasium": gymnasium.__version__},
    }
    print(json.dumps(header))
    episode, action, reward, over = -1, None, 0.0, True
    for frame in range(steps):
        if over:
            env.reset(seed=seed if frame == 0 else None)
            episode, action, reward = episode + 1, None, 0.0
            terminated = truncated = False
        else:
            action = int(constant) if constant else chance.randrange(len(meanings))
            _, reward, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
        row = {
            "t": frame,
            "ep": episode,
            "a": action,
            "r": float(reward),
            "term": bool(terminated),
            "trunc": bool(truncated),
            "ram": bytes(env.unwrapped.ale.getRAM()).hex(),
        }
        print(json.dumps(row))


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(*arguments[:4], *map(int, arguments[4:6]), *(flag == "true" for flag in arguments[6:]))
