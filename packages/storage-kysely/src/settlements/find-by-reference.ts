import { MOST_MEANT, type Payment, type PaymentName } from '@tillkit/domain'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { hasOneOf } from '../payments/has-one-of.ts'
import { columnsOf } from '../schema/columns.ts'
import { idBlock } from '../schema/id-block.ts'
import { unforeseen } from '../schema/planner/unforeseen.ts'
import { BESIDE_PAYMENT, PAYMENT_COLUMNS, type PaymentRow, type Whole } from '../schema/rows/payment-row.ts'
import { toPayment } from '../schema/rows/to-payment.ts'
import type { Database } from '../session/database.ts'
import { paddedList } from '../session/statements/padded-list.ts'
import { prepareArraysEach } from '../session/statements/prepared.ts'

/** How many names one statement looks for. */
const NAMES = 32

const PARTS: readonly Part[] = ['merchantReference', 'authCode']
const STATUSES = { live: hasOneOf(['pending', 'completed']), failed: hasOneOf(['error']) }

type Name = Omit<PaymentName, 'id'>
type Part = keyof Name
type Row = [...PaymentRow, n: Whole]

/** What a statement has that looks for some names at once. */
interface Shape {
  /** Which of both each name has. */
  by: Part[]
  status: keyof typeof STATUSES
  /** For how many names. */
  width: number
  /** Whether it begins at a later payment than the first. */
  since: boolean
}

interface Parameters {
  merchantId: string
  firstId: number
  /** What the names have, by `merchantReference0` and the like. */
  [value: string]: string | number | null
}

/** Names by reference and code that mean the same have the same key. */
export function keyOf({ merchantReference, authCode }: Name): string {
  return JSON.stringify([merchantReference, authCode])
}

/**
 * The payments of each name, from the id `firstId` on: those that have not failed, or, where there are none, those that have. A
 * statement looks for many names, each for itself and for a few payments, so that a name that all payments share costs no more.
 */
export function findByReference({
  builder,
  read,
  dialect,
}: Database): (merchantId: string, names: Name[], firstId: number) => Promise<Map<string, Payment[]>> {
  const ofName = ({ by, status, since }: Shape, p: Parameters, n: number) => {
    const payments = builder
      .selectFrom('payments')
      .select(columnsOf(dialect, 'payments', PAYMENT_COLUMNS))
      .where('merchant_id', '=', p.merchantId)
      .$if(by.includes('merchantReference'), query =>
        query.where('merchant_reference', '=', p[`merchantReference${n}`] as string),
      )
      .$if(by.includes('authCode'), query => query.where('auth_code', '=', p[`authCode${n}`] as string))
      .$if(since, query => query.where(isSince(dialect, p.firstId)))
      .where(STATUSES[status])
      .limit(MOST_MEANT)
    return builder.selectFrom(payments.as('named')).selectAll('named').select(sql.lit(n).as('n'))
  }
  const findNames = prepareArraysEach<Shape, Parameters, Row>((shape: Shape) => (p: Parameters) => {
    const [first, ...more] = Array.from({ length: shape.width }, (_, n) => ofName(shape, p, n))
    return more.reduce((all, one) => all.unionAll(one), first as NonNullable<typeof first>)
  })

  async function look(
    merchantId: string,
    names: Name[],
    status: Shape['status'],
    firstId: number,
  ): Promise<Map<string, Payment[]>> {
    const found = new Map<string, Payment[]>()
    for (const those of alike(names)) {
      const by = PARTS.filter(part => those[0]?.[part] !== null)
      const lists = by.map(part =>
        paddedList(
          part,
          those.map(name => name[part] ?? ''),
        ),
      )
      const shape: Shape = { by, status, width: lists[0]?.width ?? 0, since: firstId > 1 }
      const parameters: Parameters = { merchantId, firstId }
      for (const list of lists) Object.assign(parameters, list.parameters)
      for (const row of await read.all(findNames(Object.values(shape).join(), shape)(parameters))) {
        const name = those[Number(row[BESIDE_PAYMENT])]
        if (name === undefined) continue // one that fills up the statement
        const key = keyOf(name)
        const payments = found.get(key) ?? []
        payments.push(toPayment(merchantId, row))
        found.set(key, payments)
      }
    }
    for (const payments of found.values()) payments.sort((a, b) => a.id - b.id)
    return found
  }

  return async (merchantId, names, firstId) => {
    const unique = [...new Map(names.map(name => [keyOf(name), name])).values()]
    const live = await look(merchantId, unique, 'live', firstId)
    const none = unique.filter(name => !live.has(keyOf(name)))
    const failed = await look(merchantId, none, 'failed', firstId)
    return new Map([...live, ...failed])
  }
}

/**
 * Whether an id is `firstId` or later. PostgreSQL is not to walk the key for it, however many payments are as late: it looks into
 * the index of what was named, whose entries are by blocks of ids.
 */
function isSince(dialect: Dialect, firstId: number): RawBuilder<SqlBool> {
  const id = sql.ref('id')
  if (dialect.name !== 'postgres') return sql`${id} >= ${firstId}`
  const first = unforeseen(dialect, firstId)
  return sql`${idBlock()} >= ${idBlock(first)} and ${id} + 0 >= ${first}`
}

/** Groups of names that have the same of both, none too large for a statement. */
function* alike(names: Name[]): Generator<Name[]> {
  const kinds = Map.groupBy(names, name => PARTS.filter(part => name[part] !== null).join())
  for (const kind of kinds.values()) {
    for (let start = 0; start < kind.length; start += NAMES) yield kind.slice(start, start + NAMES)
  }
}
