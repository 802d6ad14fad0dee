#!/bin/bash
# The agent of the crash lane. It acts by what it is told and writes down outside the repository what it did, so that a test can tell what was done twice.
# With SLOW in its environment each task takes that many seconds. What it writes, it writes whole: only git can leave something half done.
shopt -s extglob
IFS= read -r -d '' prompt
mapfile -t lines <<< "$prompt"
for line in "${lines[@]}"; do [[ $line =~ ^TASK\ ([^:]+): ]] && told+=("${BASH_REMATCH[1]}"); done
[ -d .midwatch ] || mkdir .midwatch

log() { printf '%s\n' "$*" >> "$SCENE/agent.log"; }

# Writes its input to the file, in one step.
put() { cat > .midwatch/new && mv .midwatch/new "$1"; }

# post PATH BODY: gives the answer of the door.
post() {
  local address=${MIDWATCH_URL#http://} answer
  local host=${address%%/*}
  exec 3<> "/dev/tcp/${host%:*}/${host#*:}" || return
  printf 'POST /%s/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %s\r\nConnection: close\r\n\r\n%s' \
    "${address#*/}" "$1" "$host" "${#2}" "$2" >&3
  IFS= read -r -d '' answer <&3
  printf '%s' "$answer"
}

# finish KEY: the work of a task, as one commit.
finish() {
  [ -z "$SLOW" ] || sleep "$SLOW"
  git cat-file -e "HEAD:$1.txt" 2> /dev/null && return
  printf 'done\n' > "$1.txt"
  git add "$1.txt" && git commit -q -m "finish $1" && log commit "$1"
}

tick() { sed "s/\[ \] $1 /[x] $1 /" "$MIDWATCH_PLAN" | put "$MIDWATCH_PLAN"; }

claim() {
  case $(post claim "{\"task\":\"$1\"}") in
    *'"kind":"done"'*) log verified "$1" ;;
    *'"kind":"refused"'*) log refused "$1" ;;
  esac
}

call() { printf '{"type":"assistant","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"%s"}}]}}\n{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}\n' "$1"; }

log start "$MIDWATCH_WINDOW" "$MIDWATCH_WINDOW_NUMBER" "${told[*]}"
printf '{"type":"system","subtype":"init","session_id":"s%s","model":"scripted","tools":["Bash"],"mcp_servers":[],"claude_code_version":"0"}\n' "$MIDWATCH_WINDOW_NUMBER"
call "${told[*]}"
status=CHECKPOINT question=
if [[ ${told[0]} == T-[12] ]]; then
  for key in "${told[@]}"; do
    [ "$key" != T-1 ] || { finish T-1 && tick T-1; }
    [ "$key" != T-2 ] || { finish T-2 && claim T-2; }
  done
elif [[ $prompt != *"Ship T-4?"* && ${told[0]} == T-3 ]]; then
  claim T-3
  tick T-3
  printf 'draft\n' > draft.txt
  git add draft.txt && git commit -q -m draft && log commit draft
  [[ $(post ask '{"question":"Ship T-4?","task":"T-4","options":["yes","no"],"default":"yes","minutes":0.0001}') != *'"id":"Q'* ]] || log asked
elif [[ $prompt != *"Which colour?"* && ${told[0]} == Q-1 ]]; then
  status=AWAITING-HUMAN question="Which colour?"
elif [ -e "$SCENE/idle" ]; then
  log idle
else
  for key in "${told[@]}"; do finish "$key" && tick "$key"; done
  [[ ${told[*]} != *T-4* ]] || status=DONE
fi
printf 'STATUS: %s\nNEXT: the rest\nQUESTION: %s\n\nWindow %s wrote this.\n' $status "$question" "$MIDWATCH_WINDOW_NUMBER" | put "$MIDWATCH_HANDOFF"
printf '{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed","result":"ok","num_turns":2,"total_cost_usd":0.1,"permission_denials":[]}\n'
