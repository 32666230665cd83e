from ocatari.ram.skiing import *

# Constants
GATE_BONUS = 0.5
TREE_PENALTY = -1.0
MOGUL_PENALTY = -0.3
SAFE_DISTANCE = 12


def check_collision(obj1, obj2):
    """Check if two objects collide based on their bounding boxes."""
    return (
        obj1.x < obj2.x + obj2.w
        and obj1.x + obj1.w > obj2.x
        and obj1.y < obj2.y + obj2.h
        and obj1.y + obj1.h > obj2.y
    )


def reward_function(game_objects) -> float:
    reward = 0.0

    # Identify the objects
    player = None
    flags = []
    trees = []
    moguls = []
    for obj in game_objects:
        if isinstance(obj, Player):
            player = obj
        elif isinstance(obj, Flag):
            flags.append(obj)
        elif isinstance(obj, Tree):
            trees.append(obj)
        elif isinstance(obj, Mogul):
            moguls.append(obj)

    if player is None:
        return 0.0

    # Penalise collisions
    for tree in trees:
        if check_collision(player, tree):
            reward += TREE_PENALTY
    for mogul in moguls:
        if check_collision(player, mogul):
            reward += MOGUL_PENALTY

    # Reward passing between flags
    for i in range(0, len(flags) - 1, 2):
        left, right = flags[i], flags[i + 1]
        if abs(left.y - player.y) <= SAFE_DISTANCE:
            if left.x < player.x < right.x:
                reward += GATE_BONUS
            else:
                reward -= GATE_BONUS

    # Encourage downhill movement
    if player.orientation == 8:
        reward += 0.1

    return max(-1.0, min(1.0, reward))
