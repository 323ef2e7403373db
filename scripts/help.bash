# Sourced by the other scripts: with --help they print the comment that they
# start with, and do nothing.
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
  exit 0
fi
