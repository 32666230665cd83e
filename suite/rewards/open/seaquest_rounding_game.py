import math

from ocatari.ram.seaquest import *


def reward_function(objects):
    player = objects[0]
    sharks = [o for o in objects if o.category == "Shark"]
    if not player or not sharks:
        return round(0.125, 2)
    distances = [math.sqrt((s.x - player.x) ** 2 + (s.y - player.y) ** 2) for s in sharks]
    low, high = math.floor(min(distances)), math.ceil(max(distances))
    reward = round(low / 7, 1) - round(high / 11, 2)
    reward += round(sum(distances), -1) / 1000
    reward += math.trunc(-distances[0]) / 100
    q, r = divmod(high, 13)
    reward += q * 0.01 + r * 0.001
    reward += -7 // 2 * 0.01 + -7 % 3 * 0.001 + math.fmod(-7, 3) * 0.0001
    reward += math.copysign(0.5, player.dx) if player.dx else 0
    reward += (math.isclose(distances[0], low, rel_tol=0.05) and 0.25) or -0.25
    reward += math.log1p(low) / 100 + math.degrees(math.atan2(sharks[0].dy, sharks[0].dx)) / 3600
    reward += math.fsum([0.1] * 10) - 1 + math.gcd(low, 12) / 100 + math.comb(4, 2) / 1000 + math.prod([1, 2, 3]) / 1000
    return round(reward, 5)
