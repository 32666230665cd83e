from ocatari.ram.asterix import *


def reward_function(prev_state, state):
    """JAXAtari style: the states before and after the step."""
    if prev_state is None:
        return 0.0
    reward = 0.0
    before = len(prev_state.rewards) + len(prev_state.consumables)
    now = len(state.rewards) + len(state.consumables)
    if now < before:
        reward += 0.5 * (before - now)
    if state.player is not None and prev_state.player is not None:
        moved = abs(state.player.x - prev_state.player.x) + abs(state.player.y - prev_state.player.y)
        reward -= 0.001 * moved
    reward -= 0.05 * (len(state.enemies) - len(prev_state.rewards))
    return reward
