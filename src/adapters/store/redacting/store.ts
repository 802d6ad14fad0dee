/**
 * A store into which no secret is written: every text that people or agents had a hand in passes the redactor on its way in. What is compared byte for byte later goes in
 * as it is: the text of the plan, the jobs of a batch (both the person's own files), and a provider's recorded answers (docs/spec/secrets.md).
 */
import type { Redactor } from "../../../core/redaction/redactor.ts";
import type { AttemptEnd, BatchStore } from "../../../ports/batch-store.ts";
import type { Ledger } from "../../../ports/ledger.ts";
import type { Store } from "../../../ports/store.ts";

/** @param redactor  may learn of more secrets as it goes */
export function redactStore(store: Store, redactor: Redactor): Store {
  const { text, value } = redactor;
  return {
    ...store,
    ledger: redactLedger(store.ledger, redactor),
    batches: redactBatches(store.batches, redactor),
    createRun: ({ settings, ...run }, now) => store.createRun({ ...run, settings: value(settings) }, now),
    setSettings: (run, settings, now) => store.setSettings(run, value(settings), now),
    setPhase: (run, phase, events, now) => store.setPhase(run, phase, value(events), now),
    setDecision: (run, state, decision, now) => store.setDecision(run, value(state), value(decision), now),
    endRun: (run, { reason, detail }, now) => store.endRun(run, { reason, detail: text(detail) }, now),
    endWindow: ({ planText, ...end }, now) => store.endWindow({ ...value(end), planText }, now),
    syncTasks: (run, planned, changes, events, now) => store.syncTasks(run, planned, value(changes), value(events), now),
    recordClaim: (claim, now) => store.recordClaim(value(claim), now),
    changeTasks: (run, changes, events, now) => store.changeTasks(run, value(changes), value(events), now),
    ask: (run, window, draft, now, decisionAfter) =>
      store.ask(run, window, value(draft), now, decisionAfter === undefined ? undefined : (id) => value(decisionAfter(id))),
    answer: (id, answer, by, now) => store.answer(id, text(answer), by, now),
    appendEvents: (run, events, now) => store.appendEvents(run, value(events), now),
  };
}

function redactLedger(ledger: Ledger, { value }: Redactor): Ledger {
  return {
    ...ledger,
    close: (closings) => ledger.close(closings.map((closing) => ({ ...closing, result: value(closing.result) }))),
    report: (calls) => ledger.report(value(calls)),
  };
}

function redactBatches(batches: BatchStore, redactor: Redactor): BatchStore {
  return {
    ...batches,
    setState: (batch, state, reason, now) => batches.setState(batch, state, redactor.text(reason), now),
    setWait: (batch, seat, wait) => batches.setWait(batch, seat, redactor.value(wait)),
    finish: (claim, end, now) => batches.finish(claim, redactEnd(end, redactor), now),
  };
}

function redactEnd(end: AttemptEnd, redactor: Redactor): AttemptEnd {
  return end.kind === "done" ? { kind: "done", answer: redactAnswer(end.answer, redactor) } : redactor.value(end);
}

/** A job's answer is bytes, and mostly JSON: that it stays. */
function redactAnswer(answer: Uint8Array, { json, stream }: Redactor): Uint8Array {
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(answer);
  if (!before.includes("\ufffd")) {
    const after = json(before);
    return after === before ? answer : new TextEncoder().encode(after);
  }
  const redacting = stream();
  return Buffer.concat([redacting.push(answer), redacting.end()]);
}
