/** The families of the ledger's statements joined to its port. */
import type { Ledger } from "../../../ports/ledger.ts";
import type { AnswerFiles } from "./answers.ts";
import type { Database } from "./database.ts";
import { closeCalls, giveUpCalls } from "./ledger-close.ts";
import { answerOf, duplicatesOf, listCalls, spendOf } from "./ledger-lists.ts";
import { openCalls } from "./ledger-open.ts";
import { proofOf } from "./ledger-proof.ts";
import { markSubagents, reportCalls } from "./ledger-reports.ts";
import { CallsUnderWay } from "./ledger-under-way.ts";

export function joinLedger(db: Database, files: AnswerFiles): Ledger {
  const place = { db, files, underWay: new CallsUnderWay(db) };
  return {
    open: async (intents) => openCalls(place, intents),
    close: async (closings) => closeCalls(place, closings),
    report: async (calls) => reportCalls(db, calls),
    markSubagents: async (window, messages) => markSubagents(db, window, messages),
    giveUp: async (owner, at) => giveUpCalls(db, owner, at),
    spend: async (scopes) => db.read(() => spendOf(db, scopes)),
    calls: async (filter) => db.read(() => listCalls(db, filter)),
    answer: async (id) => db.read(() => answerOf(db, files, id)),
    duplicates: async (filter) => db.read(() => duplicatesOf(db, filter)),
    proof: async (filter) => db.read(() => proofOf(db, filter)),
  };
}
