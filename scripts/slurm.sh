#!/usr/bin/env bash
# A study on a Slurm cluster: an array of jobs, each of which plays one part, and a job that merges them.
#
#   PARTS=64 OUT=$HOME/study scripts/slurm.sh --size 9,19 --games 1e9
#
# OUT must be on a file system that all nodes share; JIGO is the program there (default: target/release/jigo). A part that was killed or requeued is
# played again and gives the same file; `sbatch --array=3,5 ...` repeats single parts. For datasets replace `study` by `play` with one --out for
# all parts; they need no merging.
set -euo pipefail

: "${PARTS:?number of jobs, as in PARTS=64}"
: "${OUT:?folder of the report}"
JIGO=$(realpath "${JIGO:-target/release/jigo}")
mkdir -p "$OUT/log"
OUT=$(realpath "$OUT")
export JIGO OUT PARTS

array=$(sbatch --parsable --job-name=jigo --array="0-$((PARTS - 1))" --cpus-per-task="${CPUS:-4}" --requeue --output="$OUT/log/%a.txt" <<EOF
#!/usr/bin/env bash
exec "\$JIGO" study$(printf ' %q' "$@") --shard "auto/\$PARTS" --threads "\$SLURM_CPUS_PER_TASK" --out "\$OUT/part-\$SLURM_ARRAY_TASK_ID"
EOF
)
sbatch --job-name=jigo-merge --dependency="afterok:$array" --output="$OUT/log/merge.txt" <<'EOF'
#!/usr/bin/env bash
exec "$JIGO" merge --out "$OUT/report" "$OUT"/part-*
EOF
