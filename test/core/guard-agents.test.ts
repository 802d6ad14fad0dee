/** An agent that is started by a command runs outside of the guards and of the budget (D8, 4.5): every way that can be seen is denied. */
import { expect, test } from "vitest";
import { top, verdictOn } from "./guard-kit.ts";

const ruleOf = (command: string) => {
  const verdict = verdictOn(command);
  return verdict.kind === "allow" ? "allow" : verdict.rule;
};

test.each([
  "claude -p hi",
  "/usr/local/bin/claude -p hi",
  "~/.claude/local/claude -p hi",
  "$(which claude) -p hi",
  "$(command -v claude) -p hi",
  "c=claude; $c -p hi",
  "claude -p hi &",
  "nohup claude -p hi >/dev/null 2>&1 &",
  "setsid -f claude -p hi",
  "timeout 600 claude -p hi",
  "env -i claude -p hi",
  "exec -a worker claude -p hi",
  "sh -c 'claude -p hi'",
  "(claude -p hi) & disown",
  "for i in 1 2 3; do claude -p $i & done",
  "echo hi | claude -p",
  "ls | xargs -P8 -n1 claude -p",
  "find . -name '*.md' -exec claude -p {} \\;",
  "cp $(which claude) ./worker && ./worker -p hi",
  "cp /usr/bin/claude /tmp/worker; /tmp/worker -p hi",
  "ln -s /usr/bin/claude worker; ./worker -p hi",
  "ln -s $(command -v codex) ~/bin/helper; helper exec hi",
  "install -m755 /usr/bin/codex bin/x && bin/x exec hi",
  "alias c='claude -p'",
  "f() { claude -p hi; }; f",
  "npx claude -p hi",
  "npx -y @anthropic-ai/claude-code@latest -p hi",
  "npx -p @openai/codex codex exec hi",
  "npm exec -- @google/gemini-cli -p hi",
  "pnpm dlx opencode-ai run hi",
  "bunx @openai/codex exec hi",
  "uvx aider-chat --message hi",
  "pipx run aider-chat",
  "python3 -m aider --message hi",
  "node node_modules/@anthropic-ai/claude-code/cli.js -p hi",
  "node /usr/lib/node_modules/@openai/codex/bin/codex.js exec hi",
  "./node_modules/@anthropic-ai/claude-code/cli.js -p hi",
  "./node_modules/.bin/claude -p hi",
  "docker run --rm -v $PWD:/w node:24 claude -p hi",
  "docker run --rm ghcr.io/openai/codex:latest exec hi",
  "docker exec box claude -p hi",
  "podman run --rm img sh -c 'claude -p hi'",
  "kubectl exec pod -- claude -p hi",
  "ssh host claude -p hi",
  "ssh -p 22 host 'cd x && claude -p hi'",
  "tmux new-session -d -s work claude",
  "tmux new-session -d 'claude -p hi'",
  "screen -dm claude -p hi",
  "script -qc 'claude -p hi' /dev/null",
  "su dev -c 'claude -p hi'",
  "python3 -c \"import subprocess; subprocess.Popen(['claude', '-p', 'hi'])\"",
  "node -e \"require('child_process').spawn('claude', ['-p', 'hi'])\"",
  "codex exec hi",
  "gemini -p hi",
  "opencode run hi",
  "cursor-agent -p hi",
  "goose run -t hi",
  "copilot -p hi",
  "gh agent-task create hi",
])("%s", (command) => {
  expect(ruleOf(command)).toBe("guard-and-contract/agent");
});

test.each([
  "claude --version",
  "npx claude --version",
  "codex --help",
  "claude mcp list",
  "which claude",
  "npm view @anthropic-ai/claude-code version",
  "npm install -D @openai/codex",
  "grep -rn claude .",
  "cat CLAUDE.md docs/claude/setup.md",
  "cp -r examples/codex examples/gemini",
  "git commit -m 'docs: how claude -p is called'",
  "echo claude -p hi",
  "docker build -t claude .",
  "docker logs codex",
  "tmux new-session -d -s claude 'npm test'",
  "node scripts/gemini.js",
  "vim claude.md",
  "make codex",
  "goose up",
  "copilot deploy",
  "./claude-report.sh",
  "cp /usr/share/dict/words words && wc -l words",
  "cp /bin/true ./t && ./t",
])("not %s", (command) => {
  expect(ruleOf(command)).toBe("allow");
});

test("a program of the machine under another name is judged by its own", () => {
  expect(ruleOf("cp /bin/rm ./x && ./x -rf src")).toBe("delete-trees/rm");
  expect(ruleOf(`ln -s $(which git) ${top}/g; ./g push --force`)).toBe("force-push/push");
  expect(ruleOf("cp /bin/rm ./x && ./x file")).toBe("allow");
});
