import type { Payment, Till } from '@tillkit/till'

/** What was found under one reading of what was typed. */
interface Finding {
  /** How it was read: `merchantReference`. */
  as: string
  /** In words. */
  words: string
  /** The newest of them, at most ten. */
  items: Payment[]
  /** How many there are. */
  total: number
}

/** What was found, and how far back the codes were looked through. */
export interface Findings {
  /** One for each reading that led to any. */
  found: Finding[]
  /** The id to look on before for the six digits; null where there is nothing more to look through. */
  before: number | null
}

const REFERENCES = [
  ['merchantReference', 'the merchant’s reference'],
  ['userReference', 'the customer’s reference'],
  ['scanCode', 'the scan code'],
  ['scanCodeReference', 'the reference of the code'],
  ['statementReference', 'the settlement'],
] as const

/** Through how many payments the six digits are looked for at a time: no index has them. */
const LOOKED_THROUGH = 2000
const SHOWN = 10

/** The payments that somebody may have meant, by each way in which the text can be read. */
export async function findPayments(
  till: Till,
  merchantId: string,
  text: string,
  before?: number,
): Promise<Findings> {
  const byCode = /^\d{6}$/.test(text)
  const readings =
    before === undefined ? [byId(till, merchantId, text), ...byReference(till, merchantId, text)] : []
  const [codes, ...others] = await Promise.all([
    byCode ? byAuthCode(till, merchantId, text, before) : null,
    ...readings,
  ])
  const found = [...others, codes?.finding ?? null].filter(finding => finding !== null && finding.total > 0)
  return { found: found as Finding[], before: codes?.before ?? null }
}

async function byId(till: Till, merchantId: string, text: string): Promise<Finding | null> {
  const payment = /^[1-9]\d{0,15}$/.test(text) ? await till.payments.get(merchantId, Number(text)) : null
  return payment && { as: 'id', words: 'the number', items: [payment], total: 1 }
}

function byReference(till: Till, merchantId: string, text: string): Promise<Finding>[] {
  return REFERENCES.map(async ([as, words]) => {
    const found = await till.payments.list(merchantId, { filter: { [as]: text }, perPage: SHOWN })
    return { as, words, ...found }
  })
}

async function byAuthCode(
  till: Till,
  merchantId: string,
  code: string,
  before?: number,
): Promise<{ finding: Finding; before: number | null }> {
  const items: Payment[] = []
  const { items: latest } = await till.payments.list(merchantId, { perPage: 1 })
  const newest = latest[0]?.id ?? 0
  const start = Math.min(before ?? newest + 1, newest + 1)
  const end = Math.max(start - LOOKED_THROUGH, 1)
  // Ids have no gap: how many lie after an id is known without looking.
  for (let next = start; next > end; next -= 100) {
    const offset = newest + 1 - next
    const { items: page } = await till.payments.list(merchantId, { offset, perPage: 100 })
    items.push(...page.filter(({ id, authCode }) => authCode === code && id < start && id >= end))
  }
  const unique = [...new Map(items.map(payment => [payment.id, payment])).values()]
  const finding = { as: 'authCode', words: 'the confirmation code', items: unique, total: unique.length }
  return { finding, before: end > 1 ? end : null }
}
