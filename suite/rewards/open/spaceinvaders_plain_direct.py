from ocatari.ram.spaceinvaders import *


def reward_function(game_objects):
    reward = 0.0
    player = None
    for obj in game_objects:
        if isinstance(obj, Player):
            player = obj
            break
    if player is None:
        return reward
    for obj in game_objects:
        if isinstance(obj, Alien):
            reward -= 0.001
            if obj.y > 150:
                reward -= 0.1
        elif isinstance(obj, Bullet):
            if obj.prev_y < obj.y and abs(obj.x - player.x) < 10:
                reward -= 0.2
            elif obj.prev_y > obj.y:
                reward += 0.05
        elif isinstance(obj, Satellite):
            if player.x > obj.x:
                reward += 0.02
    return reward
