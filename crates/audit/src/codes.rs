//! The documentation of every kind of finding of audits. Kinds that the source text alone determines are in [`goalspec_reward::codes`], as
//! are `raises` and `dead-threshold`.

goalspec_syntax::codes! {
    /// A reward that is NaN or infinite.
    NOT_FINITE = "audit/not-finite", Error,
    "One `NaN` or infinite reward makes the sum of rewards non-finite and the training of a policy diverge. Totals and comparisons exclude \
    such frames.\n\nExample: `speed / distance` of numpy numbers, where the distance may be 0. Use instead: `speed / \
    max(distance, 1)`.";
    /// A reward that is the same in all frames.
    CONSTANT = "audit/constant", Warning,
    "The reward does not depend on what happens in the recordings; if it is not 0, it measures only the length of an episode. Either the \
    conditions of the program are never true, or the recordings lack the events that it rewards.";
    /// A true score that looks like a running total.
    RUNNING_SCORE = "audit/running-score", Warning,
    "Scores of frames are summed, so each must be the score earned in that frame. A displayed score, which is a running total, would be \
    counted once per frame.\n\nExample: 0, 0, 1, 1, 1, 2. Use instead: 0, 0, 1, 0, 0, 1.";
    /// A positive reward of a long idle segment.
    IDLE_REWARD = "audit/idle-reward", Error,
    "For at least a hundred frames, no object moves, the player does not move, or it stays in one place and scores nothing, and the \
    reward of these frames is positive. A policy that is trained with this reward learns to do nothing.\n\nExample: `if abs(player.x - \
    flag.x) < 20: reward += 0.5` rewards a skier that is stuck. Use instead: one reward when the player passes the flag.";
    /// A reward of unchanging screens that exceeds what play earns.
    STILL_REWARD = "audit/still-reward", Note,
    "Recorded screens are shown without motion. If at least a tenth of them earns more per frame than any recording, then staying in such a \
    place is worth more than playing.\n\nExample: `reward += (160 - player.y) / 160` rewards every frame near the top, whether or not the \
    player gets there. Use instead: the change, `reward -= player.dy / 160`.";
    /// A reward that prefers recordings or episodes with a lower score.
    AGAINST_SCORE = "audit/against-score", Error,
    "In more than a quarter of the pairs that differ in reward and score, the higher reward belongs to the lower score. Finished episodes \
    are compared by their totals, and recordings by the mean totals of their finished episodes; without finished episodes, by the mean \
    per frame.\n\nWith fewer than three recordings or ten episodes, the threshold is half of the pairs, and the finding is listed after \
    those about dead terms, because few pairs are weak evidence.";
    /// A term that is higher where the score is lower.
    TERM_AGAINST_SCORE = "audit/term-against-score", Warning,
    "The whole reward is higher for recordings with a lower score, and so is this term. It may be intended: a player that plays well and \
    takes risks also meets more penalties. Check what the term measures before you change it.";
    /// A direction of motion that is penalised but more frequent in better recordings, or rewarded but less frequent.
    MOTION_AGAINST_SCORE = "audit/motion-against-score", Warning,
    "Often the sign of a direction is wrong: on screens, y grows downwards and x to the right. Directions whose opposite has the same \
    effect are excluded: then the reward depends on motion, not on its direction.\n\nExample: `reward += player.dy` to reward a player \
    for climbing. Use instead: `reward -= player.dy`.";
    /// A weak or negative correlation of reward and score.
    CORRELATION = "audit/correlation", Note,
    "Episodes are divided into windows of 100 frames. Spearman's rank correlation measures whether windows with a higher reward have a \
    higher score: 1 is perfect agreement, 0 no correlation, -1 perfect disagreement. It is also low for a reward that precedes its score \
    by a long time.";
    /// A missing true score.
    NO_SCORE = "audit/no-score", Note,
    "Traces that are not recordings of screens contain no score. `--score-column` names a stored function without parameters whose value \
    is the score of each state.";
    /// A term that makes up almost the whole reward.
    DOMINANT_TERM = "audit/dominant-term", Warning,
    "One of several terms, or of the components that the program returns, makes up 99 % of the sum of absolute contributions. The others \
    have practically no effect.";
    /// A term or component that never contributes.
    DEAD_TERM = "audit/dead-term", Warning,
    "The term is never added, or its value is always 0; or a component that the program returns is always 0. The comparisons that prevent \
    it are listed with their nearest values.\n\nExample: `if player.y == 0: reward += 1.0`, where the surface is at 46.";
    /// A comparison of strings that is never true.
    DEAD_COMPARISON = "audit/dead-comparison", Warning,
    "The left side is never equal to the string on the right; the finding lists its values.\n\nExample: `event == \"goal\"`, where no \
    assignment produces `\"goal\"`.";
    /// A clamp that changes the reward.
    CLAMP = "audit/clamp", Note,
    "Frames that a clamp cuts have equal rewards, whatever happened in them. If a clamp cuts more than half of the frames, the terms are \
    too large for its range.";
    /// A reward with almost always the same value.
    NEARLY_CONSTANT = "audit/nearly-constant", Note,
    "In at least 99.5 % of the frames, the reward has one value: hardly anything of what happens is rewarded. Sparse rewards are learned \
    slowly, if at all.\n\nExample: 0.1 for touching the ball, and nothing for points. Use instead: rewards for the events that score, or \
    for progress towards them.";
    /// An exception on screens without an object of a class.
    ABSENCE_ERROR = "audit/absence-error", Note,
    "In copies of recorded screens without the objects of a class, the function raises an exception, so that such frames have no reward. \
    The finding is a warning if the recordings have frames without an object of the class.\n\nExample: `player = next(o for o in objects \
    if isinstance(o, Player))`. Use instead: `next((..), None)`, and a test for `None`.";
    /// A divisor that is 0 or changes its sign.
    DIVISION = "audit/division", Warning,
    "In the recordings, the divisor is 0 or has both signs: the absolute value of the quotient is unbounded, and Python raises \
    `ZeroDivisionError` at 0.\n\nExample: `reward += 1 / player.dx`. Use instead: `if player.dx != 0:`, or a divisor that is never 0.";
    /// A reward for the existence of objects in every frame.
    PRESENCE_REWARD = "audit/presence-reward", Warning,
    "In modified copies of recorded screens, the reward without one of the objects is lower by the same amount, wherever the object is \
    and however it moves. The program rewards the existence of the object, not an action of the player.\n\nExample: `for diver in divers: \
    reward += 0.1`. Use instead: a reward for a change of the number of divers, or for divers that the player touches.";
    /// A reward for the level of a score in every frame.
    LEVEL_REWARD = "audit/level-reward", Warning,
    "The reward of an unchanging screen depends on the displayed score, or on the program's memory of earlier frames: each point is \
    rewarded again in every later frame, so early points count many times, and idling after them is rewarded.\n\nExample: `reward += \
    score.value`, or `hits += 1` and `return hits`. Use instead: the change, `reward += score.value - score.prev_value`.";
    /// A reward that grows without bound on an unchanging screen.
    UNBOUNDED = "audit/unbounded", Warning,
    "One screen is shown repeatedly, for more frames than an episode has (32,768, or fewer if the program needs many units of work), and \
    its reward increases or decreases until the last frame: the program accumulates a total without a bound. Late frames outweigh all \
    earlier ones, and training diverges.\n\nExample: `steps += 1` and `reward += 0.01 * steps`. Use instead: a fixed amount, or \
    `min(steps, 100)`.";
    /// State of the program that outlives its episode.
    STATE_LEAK = "audit/state-leak", Warning,
    "The rewards of an episode differ between a program in its initial state and a program that has run another episode before. goalspec \
    resets a program at the start of each episode; environments that import a reward function once do not, so that the rewards of an \
    episode depend on the previous one.\n\nExample: `global last_x`, compared with the first frame of the next episode. Use instead: a \
    test for the start of an episode, or the attributes of the previous frame, such as `prev_x` and `dx`.";
    /// An incomplete run of the program with known names in place of unknown ones.
    REPAIRS_INCOMPLETE = "audit/repairs-incomplete", Note,
    "If a program uses an unknown class or attribute, it is also run with known names in its place; findings that disappear are listed as \
    consequences of the unknown name. All these runs share a limit on units of work. A program that exceeds it is run with fewer names, \
    or with none, and findings that the unknown name causes are listed separately.";
    /// Probes that the world does not support.
    PROBES_SKIPPED = "audit/probes-skipped", Note,
    "The checks for rewards of existing objects and of score levels use synthetic screens, in which objects are moved and removed and \
    scores changed. Synthetic screens are available for Atari games only. In other worlds, the probes only repeat recorded screens and \
    run episodes in order: there, a report without `presence-reward` does not exclude that the existence of objects is rewarded.";
    /// Incomplete probes.
    PROBES_INCOMPLETE = "audit/probes-incomplete", Note,
    "Probes run the program on synthetic screens, up to a limit on units of work. A program that exceeds it, or the budget of one call, \
    is probed incompletely: findings may be missing.";
}
