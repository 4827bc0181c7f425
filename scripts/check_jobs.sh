#!/usr/bin/env bash
# Runs scripts/slurm.sh and the command of scripts/kubernetes.yaml without a cluster, and compares their counts with those of a single process.
#
# usage: scripts/check_jobs.sh [JIGO]
set -euo pipefail
cd "$(dirname "$0")/.."
export JIGO=${1:-target/release/jigo}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
study=(--size 5,9 --games 20k --policy settled:k=3 --rules 'tromp-taylor,japanese' --seed 3)
"$JIGO" study "${study[@]}" --out "$work/alone" > "$work/log" 2>&1

# A stand-in for sbatch: runs the script on its standard input immediately; for an array, once for each index, the last one first.
mkdir "$work/bin"
cat > "$work/bin/sbatch" <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
script=$(mktemp); cat > "$script"; last=
for option; do case $option in --array=0-*) last=${option#--array=0-};; esac; done
if [ -z "$last" ]; then bash "$script"; else
    for place in $(seq "$last" -1 0); do SLURM_ARRAY_TASK_ID=$place SLURM_CPUS_PER_TASK=1 bash "$script" > /dev/null 2>&1; done
    echo 17
fi
EOF
chmod +x "$work/bin/sbatch"
PATH="$work/bin:$PATH" PARTS=5 OUT="$work/slurm" scripts/slurm.sh "${study[@]}" > "$work/log" 2>&1
cmp "$work/alone/report.json" "$work/slurm/report/report.json"
echo "ok: slurm.sh, 5 parts"

# Runs the container's command with a smaller study, part 2 twice.
command=$(sed -n '/- >-$/,/resources:/p' scripts/kubernetes.yaml | sed '1d;$d' | tr '\n' ' ')
command=${command//jigo study --size 9,19 --games 1e9/\"$JIGO\" study ${study[*]}}
command=${command//auto\/64/auto\/4}
command=${command//\/data/$work/kubernetes}
for place in 3 2 0 2 1; do JOB_COMPLETION_INDEX=$place sh -c "$command" > /dev/null 2>&1; done
"$JIGO" merge --out "$work/kubernetes/report" "$work"/kubernetes/part-* > "$work/log" 2>&1
cmp "$work/alone/report.json" "$work/kubernetes/report/report.json"
echo "ok: kubernetes.yaml, 4 parts"
