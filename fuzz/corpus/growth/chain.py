# Functions that call one another, inside and outside of others, and terms with comments.


def far(x): return x * 2
def near(x): return far(x)


def lost(x):
    return lost(x)


def reward_function(objects):
    reward = 0
    # the ball is in play
    reward += len(objects)
    def inner(): return 3
    reward += inner()  # always
    if near(reward) > 4 or reward == 7:
        reward += near(1)  # near
        total = reward
        reward = total - 1
    return max(min(reward, 10), -10)
