/** Whatever moves a branch of the remote other than forwards, or takes one away. A plain push passes. */
import { type Denial, deny } from "../action.ts";
import { type Argument, filled, isOpen, mayStartWith } from "../argument.ts";
import { type GitCall, type GitSetting, gitCallOf, writtenSettings } from "../git.ts";
import { hasFlag, readOptions, valuesOfFlag } from "../options.ts";
import { fetchers } from "../programs.ts";
import type { Invocation } from "../scene.ts";

const instead = "push without force to a branch of your own, or ask the person";
const forced = ["-f", "--force", "--force-with-lease", "--mirror", "--prune", "-d", "--delete", "--receive-pack", "--exec"];
/** Paths of the forge's API that move branches or weaken their protection. */
const refPaths = /\/git\/refs|\/merges\b|\/merge-upstream|\/branches\/.{1,200}\/(protection|rename)|\/rulesets|\/contents\//;
const refMutations = /\b(updateRefs?|deleteRef|mergeBranch|createCommitOnBranch|(update|delete)BranchProtectionRule|mergePullRequest)\b/;

/** What makes a call of the API one that changes something, if no method is named: `-f` is a field to gh, and only "fail" to curl. */
const forgeOptions = ["-f", "-F", "--field", "--raw-field", "--input"];
const fetcherOptions = ["-d", "-F", "-T", "--data", "--data-raw", "--data-binary", "--json", "--upload-file", "--post-data", "--post-file"];

/** Denies a push that may rewrite or remove what the remote has. */
export function judgeForcePush(invocation: Invocation): Denial | null {
  const git = gitCallOf(invocation);
  if (git !== null) return judgePush(git) ?? judgeSettings([...git.settings, ...writtenSettings(git)]);
  if (invocation.name === "gh" || invocation.name === "glab") return judgeForge(invocation.args);
  return fetchers.has(invocation.name) ? judgeApiCall(invocation.args, fetcherOptions) : null;
}

function judgePush({ command, args }: GitCall): Denial | null {
  if (command !== "push" && command !== "send-pack" && command !== "http-push") return null;
  const options = readOptions(args, { short: "o", long: ["--repo", "--push-option"] });
  if (options.flags.some(({ name }) => name.startsWith("--force") && name !== "--force-if-includes") || hasFlag(options, ...forced)) {
    return deny("force-push/push", "a push that rewrites or removes what the remote has", instead);
  }
  const refs = options.operands.slice(1);
  if (refs.some((ref) => ref.text === null && isOpen(ref)) || options.isUnsure)
    return deny("force-push/branch", "a push whose branch is not written out", "name remote and branch");
  const moves = refs.some((ref) => mayStartWith(ref, "+") || mayStartWith(ref, ":"));
  return moves ? deny("force-push/refspec", "a push of +branch or :branch", instead) : null;
}

/** The same by configuration. */
function judgeSettings(settings: readonly GitSetting[]): Denial | null {
  const tricks = settings.some(({ key, value }) => {
    if (/^remote\.[^=]{1,200}\.(mirror|push|prune)$/.test(key)) return true;
    return key === "push.default" && !/^(simple|current|upstream|nothing)$/.test(value.text ?? "");
  });
  return tricks ? deny("force-push/setting", "a setting that changes what a push does", "push one branch by its name") : null;
}

function judgeForge(args: readonly Argument[]): Denial | null {
  const [area, verb] = args.map(({ text }) => text ?? "");
  if (area === "api") return judgeApiCall(args, forgeOptions);
  const options = readOptions(args, {});
  const isForced =
    (area === "repo" && (verb === "delete" || (verb === "sync" && hasFlag(options, "--force")))) ||
    (area === "release" && verb === "delete") ||
    (area === "pr" && verb === "merge" && hasFlag(options, "--admin")) ||
    (area === "pr" && verb === "update-branch" && hasFlag(options, "--rebase"));
  return isForced ? deny("force-push/forge", `gh ${area} ${verb} changes the remote past its protection`, "ask the person") : null;
}

/** `gh api` and curl: a call that changes something under a path of refs. */
function judgeApiCall(args: readonly Argument[], sending: readonly string[]): Denial | null {
  const texts = args.map((argument) => filled(argument, "?").slice(0, 16_384));
  if (texts.some((text) => text.includes("mutation") && refMutations.test(text)))
    return deny("force-push/api", "an API call that moves branches", instead);
  if (!texts.some((text) => refPaths.test(`/${text}`))) return null;
  const options = readOptions(args, {
    short: "XFHqtdTo",
    long: ["--method", "--request", "--field", "--raw-field", "--input", "--data", "--header"],
  });
  const methods = valuesOfFlag(options, "-X", "--method", "--request").map(({ text }) => text?.toUpperCase());
  const changes = methods.length === 0 ? hasFlag(options, ...sending) : methods.some((method) => method !== "GET" && method !== "HEAD");
  const isForge = texts.some((text) => /api\.github\.com|gitlab|^\/?(repos|projects)\//.test(text)) || texts[0] === "api";
  return changes && isForge ? deny("force-push/api", "an API call that moves branches", instead) : null;
}
