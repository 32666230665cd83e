from ocatari.ram.freeway import *


def reward_function(game_objects):
    chickens = [o for o in game_objects if isinstance(o, Chicken)]
    cars = [o for o in game_objects if isinstance(o, Car)]
    reward = 0
    for chicken in chickens:
        if chicken.dy < 0 and chicken.y < 100:
            reward += 1
        elif chicken.dy > 0 or chicken.x == 5 and not chicken.y:
            reward -= 1
        for car in cars:
            if abs(car.x - chicken.x) < 10 and abs(car.y - chicken.y) < 10:
                reward -= 0.5
    return reward
