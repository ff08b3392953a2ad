import type { Session } from './session.ts'

/**
 * What shows that an account has moved: payments that came in, outcomes, settlements of the newest, cash ups. Two marks that are
 * the same have nothing between them that a check could have tripped over.
 */
export async function markOf(session: Session): Promise<string> {
  return session.quietly(async () => {
    const asked = []
    for (const [path, query] of [
      ['/payments', 'perPage=20'],
      ['/payments', 'status=pending&perPage=20'],
      ['/cash_ups', 'perPage=20'],
    ] as const) {
      const { status, text } = await session.get(path, query)
      asked.push(`${status} ${text}`)
    }
    return asked.join('\n')
  })
}
