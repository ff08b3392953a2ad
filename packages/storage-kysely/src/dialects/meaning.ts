/** What errors with some codes mean for a person. */
export type Meaning<Code> = [meaning: string, codes: Code[]]

export function meaningOf<Code>(meanings: Meaning<Code>[], code: Code): string | undefined {
  return meanings.find(([, codes]) => codes.includes(code))?.[0]
}
