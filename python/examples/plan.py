"""Find an optimal plan, validate it, and score the states that it visits by a game about the same problem."""

import goalspec

library = goalspec.load("@delivery")
problem = next(program for program in library if program.language == "pddl")
result = goalspec.plan(problem, optimal=True)
print(result)
print(f"cost {result.cost}, proof: {result.proof}")
print(f"valid: {goalspec.validate(problem, result).valid}")
print(f"{len(result.trace())} states")
