#!/bin/sh
# A disk that is full or read-only, and then not: indexes on a small tmpfs of this mount namespace alone.
# argv: mode (engine, spool, facts, readonly), folder, node, entry, capture. Prints "exit N" after each run, the digest last.
mode=$1; folder=$2; node=$3; entry=$4; capture=$5
strata() { "$node" "$entry" "$@" --log-level warn; echo "exit $?"; }
export STRATA_TEST_COMMIT_BLOCKS=20
index() { strata index --capture "$capture" --data "$folder/data" "$@"; }

if [ "$mode" = readonly ]; then
  mount -t tmpfs -o size=600m tmpfs "$folder" || exit 99
  index --to 100
  mount -o remount,ro "$folder"
  index
  mount -o remount,rw "$folder"
elif [ "$mode" = spool ] || [ "$mode" = facts ]; then
  # the chain's descriptors find no room either in the smaller one
  size=1500k; [ "$mode" = facts ] && size=600k
  mkdir -p "$folder/data/spool"
  mount -t tmpfs -o size=$size tmpfs "$folder/data/spool" || exit 99
  index
  mount -o remount,size=300m "$folder/data/spool"
else
  # the spool has room: what is full is where the engine writes
  mount -t tmpfs -o size=2500k tmpfs "$folder" || exit 99
  mkdir -p "$folder/data/spool"
  mount -t tmpfs -o size=300m tmpfs "$folder/data/spool"
  index
  mount -o remount,size=600m "$folder"
fi
index
"$node" "$entry" digest --data "$folder/data"
