from ocatari.ram.tennis import *

NEAR, LEFT, RISING, DEEP, LATE = (1 << i for i in range(5))
VALUES = {NEAR: 0.3, LEFT: 0.02, RISING: 0.2, DEEP: -0.1, LATE: -0.4}


def features(player, ball, shadow):
    bits = 0
    if abs(player.x - ball.x) < 16:
        bits |= NEAR
    if ball.x < player.x:
        bits |= LEFT
    if shadow.dy < 0:
        bits |= RISING
    if shadow.y > 150:
        bits |= DEEP
    if bits & DEEP and not bits & NEAR:
        bits |= LATE
    return bits


def popcount(bits):
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


history = 0


def reward_function(objects):
    global history
    player, _, ball, shadow = objects
    if not ball:
        history >>= 5
        return 0.0
    bits = features(player, ball, shadow)
    history = (history << 5 | bits) & 0xFFFFF
    changed = (history ^ history >> 5) & 0b11111
    reward = sum(value for flag, value in VALUES.items() if bits & flag)
    reward -= 0.01 * popcount(changed) + 0.001 * bin(history).count("1")
    return reward + (~bits & 0x1F) * 1e-4 + bits.bit_length() * 1e-5
