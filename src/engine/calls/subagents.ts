/**
 * Whose answer is whose. The agent's stream tells it of most answers, not of the last words of a subagent; those are known by the conversation they stand in,
 * which the wire shows. Of a conversation about which nobody said anything, nothing is known.
 */
export interface SubagentMarks {
  /** The stream told it of this answer. */
  tell(messageId: string, subagent: boolean): void;
  /** The wire showed an answer in this conversation. */
  answered(messageId: string, conversation: string): void;
  /** Message id -> a subagent's or not. */
  read(): ReadonlyMap<string, boolean>;
}

export function createSubagentMarks(): SubagentMarks {
  const told = new Map<string, boolean>();
  const conversations = new Map<string, string>();

  function conversationsOf(wanted: boolean): ReadonlySet<string | undefined> {
    return new Set([...told].filter(([, subagent]) => subagent === wanted).map(([messageId]) => conversations.get(messageId)));
  }

  return {
    tell: (messageId, subagent) => void told.set(messageId, subagent),
    answered: (messageId, conversation) => void conversations.set(messageId, conversation),
    read() {
      const [ofSubagents, ofMain] = [conversationsOf(true), conversationsOf(false)];
      const inferred = [...conversations]
        .filter(([, conversation]) => ofSubagents.has(conversation) !== ofMain.has(conversation))
        .map(([messageId, conversation]) => [messageId, ofSubagents.has(conversation)] as const);
      return new Map([...inferred, ...told]);
    },
  };
}
