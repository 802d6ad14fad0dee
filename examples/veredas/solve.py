"""Answers one job like solve.mjs does, with nothing but Python's standard library. 25 calls a job.

What it asks depends on the job and on earlier answers alone: started again it asks the same, in the same order.
"""
import http.client
import json
import os
import sys
from urllib.parse import urlsplit

MOST_TURNS = 20
DEEPEST = 2

job = json.load(sys.stdin)
base = urlsplit(os.environ["ANTHROPIC_BASE_URL"])
connection = (http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection)(base.netloc, timeout=600)
headers = {
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "x-api-key": os.environ.get("ANTHROPIC_API_KEY", ""),
}
calls = 0


def ask(role, messages):
    global calls
    body = json.dumps({"model": "veredas-1", "max_tokens": 500, "system": f"veredas {role}", "messages": messages})
    connection.request("POST", f"{base.path}/v1/messages", body, headers)
    answer = connection.getresponse()
    said = answer.read().decode()
    # Not tried again here: who started this program knows whether it should be, and what that costs.
    if answer.status != 200:
        raise RuntimeError(f"the model answered {answer.status}: {said[:300]}")
    calls += 1
    return "".join(part.get("text", "") for part in json.loads(said)["content"])


def user(content):
    return {"role": "user", "content": content}


def explore(question, depth):
    """One call that splits the question, and one for each part; further down if a part is split again."""
    said = ask("split" if depth < DEEPEST else "leaf", [user(question)])
    parts = words_after("PART", said) if depth < DEEPEST else []
    findings = [explore(f"{question} / {part}", depth + 1) for part in parts]
    return " ".join(findings) if parts else said


def solve(question):
    """The conversation at the root: it says where to look, and is told what was found, until it has an answer."""
    messages = [user(question)]
    for _ in range(MOST_TURNS):
        said = ask("root", messages)
        answers = words_after("ANSWER", said)
        if answers:
            return answers[0]
        findings = [explore(f"{question} / {look}", 1) for look in words_after("LOOK", said)]
        messages += [{"role": "assistant", "content": said}, user(" ".join(findings))]
    raise RuntimeError(f"no answer after {MOST_TURNS} turns")


def words_after(word, said):
    return [line[len(word) + 2 :] for line in said.split("\n") if line.startswith(f"{word}: ")]


try:
    print(json.dumps({"id": job["id"], "answer": solve(job["question"]), "calls": calls}))
except Exception as error:  # whatever it is: one line for whoever reads why the job failed
    sys.exit(str(error))
