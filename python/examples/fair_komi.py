"""The fair komi of random play on several boards, with a plot. Needs matplotlib."""

import matplotlib.pyplot as plt

import jigo

runs = jigo.study(sizes=[5, 6, 7, 8, 9], games=20_000).runs
komi = [run.fair_komi for run in runs]
errors = [[one.value - one.lower for one in komi], [one.upper - one.value for one in komi]]
plt.errorbar([run.size[0] for run in runs], [one.value for one in komi], errors, fmt="o", capsize=4)
plt.xlabel("board size")
plt.ylabel("fair komi, points (95 % interval)")
plt.savefig("fair_komi.png")
print(*zip((run.size for run in runs), komi), sep="\n")
