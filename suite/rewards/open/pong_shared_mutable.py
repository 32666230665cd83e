from ocatari.ram.pong import *

shared = {"log": []}
alias = shared["log"]
matrix = [[0] * 3] * 2
separate = [[0] * 3 for _ in range(2)]


def note(value, into=shared):
    into["log"].append(value)
    return into["log"] is alias


def reward_function(objects):
    ball = objects[1]
    same = note(ball.x if ball else -1)
    matrix[0][len(alias) % 3] += 1
    separate[0][len(alias) % 3] += 1
    reward = sum(map(sum, matrix)) - sum(map(sum, separate))
    a = b = [0]
    a += [1]
    b = b + [2]
    x, y = 1, 2
    x, y = y, x + y
    del alias[:-5]
    tail = alias[-3:]
    return reward / 100 + len(a) * 0.1 + len(b) * 0.01 + (x - y) * 0.5 + sum(tail) / 1000 + same
