// Answers one job by asking a model again and again: a conversation of seven turns whose findings come from calls that split and ask further. 25 calls a job.
// The job comes on standard input, the answer leaves on standard output, the model is reached where ANTHROPIC_BASE_URL says: the gateway, on this machine. What it
// asks depends on the job and on earlier answers alone: started again it asks the same, in the same order, and gets what was paid for without paying again.
import { Agent, request } from "node:http"; // fetch would do as well, and take a job of this length twice the time of a processor
import { text } from "node:stream/consumers";

const mostTurns = 20;
const deepest = 2;
const job = JSON.parse(await text(process.stdin));
const url = `${process.env.ANTHROPIC_BASE_URL}/v1/messages`;
const agent = new Agent({ keepAlive: true });
const key = process.env.ANTHROPIC_API_KEY ?? "";
let calls = 0;

async function ask(role, messages) {
  const { status, said } = await post(JSON.stringify({ model: "veredas-1", max_tokens: 500, system: `veredas ${role}`, messages }));
  // Not tried again here: who started this program knows whether it should be, and what that costs.
  if (status !== 200) throw new Error(`the model answered ${status}: ${said.slice(0, 300)}`);
  calls += 1;
  return JSON.parse(said)
    .content.map((part) => part.text ?? "")
    .join("");
}

function post(body) {
  const headers = { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": key };
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, method: "POST", headers }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode, said }), reject);
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

const user = (content) => ({ role: "user", content });

/** One call that splits the question, and one for each part; further down if a part is split again. */
async function explore(question, depth) {
  const said = await ask(depth < deepest ? "split" : "leaf", [user(question)]);
  const parts = depth < deepest ? wordsAfter("PART", said) : [];
  const findings = [];
  for (const part of parts) findings.push(await explore(`${question} / ${part}`, depth + 1));
  return parts.length === 0 ? said : findings.join(" ");
}

/** The conversation at the root: it says where to look, and is told what was found, until it has an answer. */
async function solve(question) {
  const messages = [user(question)];
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const said = await ask("root", messages);
    const [answer] = wordsAfter("ANSWER", said);
    if (answer !== undefined) return answer;
    const findings = [];
    for (const look of wordsAfter("LOOK", said)) findings.push(await explore(`${question} / ${look}`, 1));
    messages.push({ role: "assistant", content: said }, user(findings.join(" ")));
  }
  throw new Error(`no answer after ${mostTurns} turns`);
}

function wordsAfter(word, said) {
  return said.split("\n").flatMap((line) => (line.startsWith(`${word}: `) ? [line.slice(word.length + 2)] : []));
}

try {
  const answer = await solve(job.question);
  process.stdout.write(`${JSON.stringify({ id: job.id, answer, calls })}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
agent.destroy();
