/** What errors with some codes mean for a person. */
export type Meaning<Code> = [meaning: string, codes: Code[]]

/** What a call in a host's transaction is told that came too late for it. */
export const TRANSACTION_ENDED =
  'the transaction has ended, and nothing of this call was done: have its work wait for what it calls'

/** What a commit is told whose transaction an earlier error had undone, where the engine itself would say that all is well. */
export const TRANSACTION_UNDONE =
  'the database undid the transaction because of another one, as it does at a deadlock: nothing that came before is there, and what its work sent after may have been committed by itself. Have it throw what such a call ends in'

export function meaningOf<Code>(meanings: Meaning<Code>[], code: Code): string | undefined {
  return meanings.find(([, codes]) => codes.includes(code))?.[0]
}
