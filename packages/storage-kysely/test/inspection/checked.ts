import type { Storage, StorageInspection } from '@tillkit/storage'

/** What is asked where no transaction is to count as long. */
export const REQUEST = { now: null, longTransactionSeconds: 3600, webhookKeyPrefixes: [] }

/** What was found of one check: the level and the sentence. */
export function of(inspected: StorageInspection | undefined, check: string): string[] {
  const found = inspected?.findings.filter(finding => finding.check === check) ?? []
  return found.map(({ level, says }) => `${level}: ${says}`)
}

/** The same of a storage, as it is now. */
export async function found(
  storage: Storage,
  check: string,
  request: Partial<typeof REQUEST> = {},
): Promise<string[]> {
  return of(await storage.inspect?.({ ...REQUEST, ...request }), check)
}
