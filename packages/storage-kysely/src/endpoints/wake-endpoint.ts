import type { Database } from '../session/database.ts'
import type { Session } from '../session/session.ts'
import { prepare } from '../session/statements/prepared.ts'
import { endRest } from './end-rest.ts'
import { placeholderEndpoint } from './placeholder-endpoint.ts'

/**
 * Puts an endpoint in order, within a transaction, and makes due what rested. The two take turns with a claim that puts
 * more to rest: it holds the endpoint's row, and what it did is seen by the statements that follow. Where more rests than is
 * made due at once it says true, and the endpoint fails from now on, and is not paused: the next success goes on, so none
 * rests for ever. Where no success can follow, whoever wakes it goes on.
 */
export function wakeEndpoint(
  database: Database,
): (session: Session, merchantId: string, now: string, limit?: number) => Promise<boolean> {
  const { builder, dialect } = database
  const endSome = endRest(database)
  const placeholder = placeholderEndpoint(database)
  const unpause = prepare((p: { merchantId: string; now: string }) =>
    builder
      .updateTable('failing_endpoints')
      .set({ failing_since: p.now, paused_at: null })
      .where('merchant_id', '=', p.merchantId),
  )
  const endFailing = prepare((p: { merchantId: string }) =>
    builder.deleteFrom('failing_endpoints').where('merchant_id', '=', p.merchantId),
  )
  const keepFailing = prepare((p: { merchantId: string; now: string }) => {
    const insert = builder
      .insertInto('failing_endpoints')
      .values({ merchant_id: p.merchantId, failing_since: p.now, paused_at: null })
    return dialect.name === 'mysql' ? insert.ignore() : insert.onConflict(conflict => conflict.doNothing())
  })
  return async (session, merchantId, now, limit) => {
    await placeholder?.make(session, merchantId)
    await session.change(unpause({ merchantId, now }))
    const mayRest = await endSome(session, merchantId, now, limit)
    await session.change(mayRest ? keepFailing({ merchantId, now }) : endFailing({ merchantId }))
    return mayRest
  }
}
