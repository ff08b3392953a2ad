/** How many texts are remembered: more than there are statements that are sent again and again. */
const MOST = 1000

/** No longer than what OpenTelemetry allows a summary to be. */
const LONGEST = 255

const known = new Map<string, string>()

/** What a statement does, in words that say nothing of its values: see `StatementMessage.name`. */
export function statementSummary(sql: string): string {
  const there = known.get(sql)
  if (there !== undefined) return there
  const summary = summarised(sql)
  if (known.size >= MOST) known.clear()
  known.set(sql, summary)
  return summary
}

/** A name in quotes, after its schema's where it has one. */
const NAME = '(?:["`][^"`]+["`]\\.)?["`]([^"`]+)["`]'

const WRITES = new RegExp(`(?<!key )\\b(insert(?: ignore)? into|update|delete from) (?:only )?${NAME}`, 'g')
const READS = new RegExp(`\\bfrom ${NAME}`, 'g')

/** All tables that it writes; where there are none the first that it reads, which is no part of it named by `with`. */
function summarised(sql: string): string {
  const writes = [...sql.matchAll(WRITES)].map(
    ([, verb = '', table = '']) => `${verb.split(' ', 1)[0]?.toUpperCase()} ${table}`,
  )
  if (writes.length > 0) return [...new Set(writes)].join(' ').slice(0, LONGEST)
  const verb = /^[a-z]+/i.exec(sql.trimStart())?.[0].toUpperCase() ?? 'STATEMENT'
  for (const [, table = ''] of sql.matchAll(READS)) {
    const isPart = new RegExp(`(?:with|,) ["\`]?${table}["\`]? as`).test(sql)
    if (!isPart) return `${verb === 'WITH' ? 'SELECT' : verb} ${table}`.slice(0, LONGEST)
  }
  return verb
}
