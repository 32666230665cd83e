from ocatari.ram.tennis import *

# Curriculum: the weights change with the number of points played in the episode.
LEVELS = (
    {"reach": 1.0, "return": 0.2, "win": 0.0},
    {"reach": 0.5, "return": 0.5, "win": 0.5},
    {"reach": 0.1, "return": 0.4, "win": 2.0},
)


class Curriculum:
    def __init__(self):
        self.points = 0
        self.ball_present = False

    @property
    def level(self):
        return min(self.points // 2, len(LEVELS) - 1)

    def observe(self, ball):
        if self.ball_present and ball is None:
            self.points += 1
        self.ball_present = ball is not None

    def mix(self, terms):
        weights = LEVELS[self.level]
        return sum(weights[name] * value for name, value in terms.items() if name in weights)


curriculum = Curriculum()


def reward_function(objects):
    player = objects[0]
    ball = objects[2] or None
    curriculum.observe(ball)
    if ball is None:
        return 0.0
    terms = {
        "reach": 1 - min(1.0, abs(player.x - ball.x) / 80),
        "return": 1.0 if ball.dy < 0 else 0.0,
        "win": 1.0 if ball.y < 20 else 0.0,
        "style": 7.0,
    }
    return curriculum.mix(terms)
