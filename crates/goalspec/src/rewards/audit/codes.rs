//! The documentation of every kind of finding of audits. Kinds that the source text alone determines are in [`goalspec_reward::codes`], as
//! are `raises` and `dead-threshold`.

goalspec_syntax::codes! {
    /// The reward is no finite number.
    NOT_FINITE = "audit/not-finite", Error,
    "`NaN` and infinities make every sum that they go into useless, and a policy that learns from them as well. What a frame earns is told \
     without them, and so is what is compared.\n\n\
     Example: `speed / distance` of numpy's numbers, where the distance may be 0. Use instead: `speed / max(distance, 1)`.";
    /// The reward is the same in all frames.
    CONSTANT = "audit/constant", Warning,
    "Nothing that happens in the recordings makes a difference to the reward; if it is not 0, it tells how long an episode is. Either none of \
     its conditions ever holds, or the recordings lack what it is about.";
    /// The true score looks like a running total.
    RUNNING_SCORE = "audit/running-score", Warning,
    "Scores of frames are summed up, so each has to be what that frame earned. A score as a game displays it, which stays until it grows, is \
     summed up over and over, and means nothing.\n\n\
     Example: 0, 0, 1, 1, 1, 2. Use instead: 0, 0, 1, 0, 0, 1.";
    /// A long stretch in which nothing is done earns.
    IDLE_PAYS = "audit/idle-pays", Error,
    "Nothing on the screen moves, or the player does not move, or it stays in one place and scores nothing, for a hundred frames and more, and \
     they earn more than 0. A policy that is trained with this reward learns to do nothing.\n\n\
     Example: `if abs(player.x - flag.x) < 20: reward += 0.5` pays a skier that is stuck. Use instead: pay once, when the flag is passed.";
    /// The reward prefers recordings or episodes with a lower score.
    AGAINST_SCORE = "audit/against-score", Error,
    "Of two, the one with more reward is the one with less score, in more than a quarter of the pairs that differ in both. Episodes that were \
     played to their end are compared by what they come to, and recordings by what such an episode comes to on average. Where there are none, \
     by what a frame earns.\n\n\
     Of fewer than three recordings, or ten episodes, it takes more than half of the pairs, and comes after what is dead: they say little.";
    /// A term pays where the score is low.
    TERM_AGAINST_SCORE = "audit/term-against-score", Warning,
    "The whole reward prefers recordings with a lower score, and this term does so by itself. That may be as it should: who plays well and dares \
     more also meets more of what is punished. See what the term measures before you change it.";
    /// A way of moving is punished of which better recordings have more, or paid for of which they have less.
    MOTION_AGAINST_SCORE = "audit/motion-against-score", Warning,
    "Often a direction is mistaken: on screens, y grows downwards and x to the right. Ways of moving whose opposites do the same are left out: \
     then moving matters, and not the direction.\n\n\
     Example: `reward += player.dy` to reward a player for climbing. Use instead: `reward -= player.dy`.";
    /// The reward and the score do not rise together.
    CORRELATION = "audit/correlation", Note,
    "Episodes are cut into windows of 100 frames; Spearman's rank correlation says whether windows with more reward are windows with more score. \
     1: always, 0: not at all, -1: the other way round. A reward for what leads to a score much later has a low one, too.";
    /// There is no true score to compare with.
    NO_SCORE = "audit/no-score", Note,
    "Traces that are no recordings of screens do not say what the game gave. `--score-column` names a stored function without parameters that \
     says what each state earned.";
    /// One part of the reward is all that is ever paid.
    ONLY_TERM = "audit/only-term", Warning,
    "Of several terms, or of the components that the program itself tells, one makes up 99 % of what is paid, without regard to signs. \
     What the others are for does not count.";
    /// A part of the reward that never comes up.
    DEAD_TERM = "audit/dead-term", Warning,
    "The term is never added, or comes to 0 whenever it is; or a component that the program itself tells is always 0. The comparisons that keep \
     it from coming up are told with the values that came nearest.\n\n\
     Example: `if player.y == 0: reward += 1.0`, where the surface is at 46.";
    /// A comparison of texts that never holds.
    DEAD_COMPARISON = "audit/dead-comparison", Warning,
    "The left side never is the text that it is compared with; the finding says what it is.\n\n\
     Example: `event == \"goal\"`, where nothing gives `\"goal\"`.";
    /// A clamp that changes the reward.
    CLAMP = "audit/clamp", Note,
    "Where a clamp cuts, different things earn the same. If it does so in more than half of the frames, the terms are too large for the range that \
     they are to keep to.";
    /// What is divided by goes through 0.
    DIVISION = "audit/division", Warning,
    "In the recordings that were given, the divisor is 0 at times, or on both sides of it: the quotient grows without limit, and Python raises \
     `ZeroDivisionError` at 0.\n\n\
     Example: `reward += 1 / player.dx`. Use instead: `if player.dx != 0:`, or a divisor that is never 0.";
    /// The reward pays in every frame for objects that exist.
    PRESENCE_PAYS = "audit/presence-pays", Warning,
    "Recorded screens were changed: without one of the objects the reward is less, by the same amount wherever the object is and however it \
     moves. So the reward pays for as long as the object exists, and not for anything that the player does.\n\n\
     Example: `for diver in divers: reward += 0.1`. Use instead: pay where the number of divers changes from one frame to the next, or for \
     those that the player touches.";
    /// The reward pays the level of a score in every frame.
    LEVEL_PAYS = "audit/level-pays", Warning,
    "A screen stands still, and its reward depends on the score that it displays, or on what the program remembers of earlier frames: a point \
     that is scored once is paid for in every later frame, so that early points count many times and idling after them pays.\n\n\
     Example: `reward += score.value`, or `hits += 1` and `return hits`. Use instead: the change, `reward += score.value - score.prev_value`.";
    /// The reward grows while nothing happens.
    UNBOUNDED = "audit/unbounded", Warning,
    "One screen was shown over and over, for more frames than an episode has (32,768, or fewer of a program that takes much work), and its reward \
     kept growing, or falling, until the last of them: the program adds to a total that reaches no bound within an episode. Late frames outweigh \
     everything that happened before them, and training diverges.\n\n\
     Example: `steps += 1` and `reward += 0.01 * steps`. Use instead: a fixed amount, or `min(steps, 100)`.";
    /// State of the program outlives its episode.
    STATE_LEAK = "audit/state-leak", Warning,
    "Two episodes were played alone, each with a program that had seen nothing, and then one after the other: the rewards of the second one \
     differ. goalspec resets a program where an episode begins; environments that import a reward function once do not, and an episode's \
     rewards then depend on the one before it.\n\n\
     Example: `global last_x`, compared with the first frame of the next episode. Use instead: a test for the beginning of an episode, or \
     the attributes that hold the frame before, such as `prev_x` and `dx`.";
    /// The program was not run with every name that an unknown one may stand for.
    NAMES_NOT_TRIED = "audit/names-not-tried", Note,
    "Where a program names a class or attribute that does not exist, it is run again with names that do: findings that are gone then are put \
     under the unknown name. All these runs together take a limited number of units of work. A program that takes too many is run with fewer \
     names, or with none, and its findings stand alone.";
    /// Probes that the world does not allow.
    PROBES_SKIPPED = "audit/probes-skipped", Note,
    "Whether objects pay by existing, and whether a level of a score is paid for, is looked for on screens that are made up: objects are moved and \
     left out, scores changed. There are such screens for games of Atari alone. In other worlds, the probes hold recorded screens still and play \
     episodes in order, and nothing more: a report without `presence-pays` does not mean there that no object pays by existing.";
    /// Probes ended before all was looked at.
    PROBES_ENDED = "audit/probes-ended", Note,
    "Probes call the program with screens that nobody recorded, up to a number of units of work in all. A program that takes so many, or that \
     uses up the budget of a call, is not probed to the end: that nothing was found then says less than usual.";
}
