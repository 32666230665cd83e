import statistics as st

from ocatari.ram.spaceinvaders import *


def reward_function(objects):
    xs = [o.x for o in objects if isinstance(o, Alien)]
    ys = [o.y for o in objects if isinstance(o, Alien)]
    player = next((o for o in objects if isinstance(o, Player)), None)
    if len(xs) < 3 or player is None:
        return 0.0
    center = st.mean(xs)
    spread = st.pstdev(xs)
    low, mid, high = st.quantiles(ys, n=4)
    reward = -abs(player.x - center) / 160 - spread / 1000
    reward += (mid - low) / 500 - st.median_low(ys) / 2000 + st.median_high(ys) / 3000
    reward -= st.variance(ys) / 1e5 + st.median_grouped(xs, 16) / 1e5
    reward += len(st.multimode(xs)) / 1000 + st.harmonic_mean([x + 1 for x in xs]) / 1e5 + st.geometric_mean([y + 1 for y in ys]) / 1e5
    return reward
