"""Play a resource graph game with PettingZoo, and step a thousand games of a learner with Gymnasium."""

import numpy as np

from goalspec import petting
from goalspec.gym import ResourceVectorEnv

env = petting.aec_env("@berries", max_turns=40)
env.reset(seed=1)
totals = dict.fromkeys(env.possible_agents, 0.0)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    totals[agent] += reward
    action = None
    if not (terminated or truncated) and observation is not None:
        # The last valid action: gather where there is something left.
        action = int(np.flatnonzero(observation["action_mask"])[-1])
    env.step(action)
print(f"rewards of one game: {totals}")

vector = ResourceVectorEnv("@berries", 1000, team="ann", others="greedy", max_turns=40)
observations, infos = vector.reset(seed=0)
generator = np.random.default_rng(0)
total = 0.0
for _ in range(20):
    scores = generator.random(observations["action_mask"].shape) * observations["action_mask"]
    observations, rewards, terminated_games, truncated_games, infos = vector.step(scores.argmax(axis=1))
    total += rewards.sum()
print(f"mean reward of ann in a game, with valid actions at random against a greedy policy: {total / 1000:.2f}")
