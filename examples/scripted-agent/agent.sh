#!/bin/bash
# A whole agent in shell: it takes the tasks of its window from the door, works at each, commits, claims it, and leaves a note.
# Its work is to write the file that the task is about; put a call of your own program in its place.
set -eu

# ask_door REQUEST [JSON]: what the door answers, as JSON.
ask_door() {
  curl --silent --show-error --fail-with-body "$MIDWATCH_URL/$1" ${2:+--data "$2"}
}

# The keys of the tasks that are open, from the JSON on standard input, one a line.
open_keys() {
  node --print 'JSON.parse(require("fs").readFileSync(0)).tasks.filter(({ state }) => state === "pending").map(({ key }) => key).join("\n")'
}

work() {
  mkdir -p notes
  printf 'What there is to say about %s.\n' "$1" > "notes/$1.md"
}

cat > /dev/null # the prompt: a program with a model would read it
tasks=$(ask_door tasks)
for key in $(open_keys <<< "$tasks"); do
  echo "working at $key"
  work "$key"
  git add -- "notes/$key.md"
  git commit --quiet --message "docs: $key"
  answer=$(ask_door claim "{\"task\":\"$key\"}")
  case $answer in
    '{"kind":"done"'*) echo "$key is done" ;;
    *) ask_door note "{\"text\":\"the claim of $key was refused\"}" > /dev/null ;;
  esac
done
printf 'STATUS: CHECKPOINT\nNEXT: go on with the list\nQUESTION:\n\nWindow %s worked at: %s\n' "$MIDWATCH_WINDOW_NUMBER" "$(open_keys <<< "$tasks" | paste -sd ' ')" > "$MIDWATCH_HANDOFF"
