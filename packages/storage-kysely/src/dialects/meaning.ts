/** What errors with some codes mean for a person. */
export type Meaning<Code> = [meaning: string, codes: Code[]]

/** What a call in a host's transaction is told that came too late for it. */
export const TRANSACTION_ENDED =
  'the transaction has ended, and nothing of this call was done: have its work wait for what it calls'

export function meaningOf<Code>(meanings: Meaning<Code>[], code: Code): string | undefined {
  return meanings.find(([, codes]) => codes.includes(code))?.[0]
}
