from ocatari.ram.spaceinvaders import *

BOTTOM_ROW_BONUS = 0.3
UNDER_FIRE_PENALTY = -0.4
SHIELD_HIT_PENALTY = -0.05


def overlaps_x(a, b, margin=0):
    return a.x - margin < b.x + b.w and b.x < a.x + a.w + margin


def bottom_row(aliens):
    if not aliens:
        return []
    lowest = max(a.y for a in aliens)
    return [a for a in aliens if a.y == lowest]


def reward_function(game_objects):
    player = None
    aliens, bullets, shields = [], [], []
    for o in game_objects:
        if isinstance(o, Player):
            player = o
        elif isinstance(o, Alien):
            aliens.append(o)
        elif isinstance(o, Bullet):
            bullets.append(o)
        elif isinstance(o, Shield):
            shields.append(o)
    reward = 0.0
    row = bottom_row(aliens)
    for bullet in bullets:
        going_up = bullet.dy < 0
        if going_up and any(overlaps_x(bullet, a, 2) for a in row):
            reward += BOTTOM_ROW_BONUS
        elif going_up and any(overlaps_x(bullet, s) and bullet.y > s.y for s in shields):
            reward += SHIELD_HIT_PENALTY
        elif not going_up and player and overlaps_x(bullet, player, 4):
            reward += UNDER_FIRE_PENALTY * (1 if bullet.y > 150 else 0.5)
    return reward
