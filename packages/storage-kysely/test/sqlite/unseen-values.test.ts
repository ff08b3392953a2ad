import { expect, test } from 'vitest'
import { sqlite } from '../engines/sqlite.ts'
import { statementsOf } from '../planner/statements.ts'

test('no statement is planned by the values that it is sent with, and so anew each time', async () => {
  const { statements } = await statementsOf(sqlite, 'big', expect)
  const searches = statements.filter(({ sql }) => !/^insert into \S+ \([^)]*\) values/.test(sql))
  expect(searches.length).toBeGreaterThan(50)
  for (const { sql, parameters } of searches) {
    expect(sql.split('(select ?)')).toHaveLength(parameters.length + 1)
    expect(sql.replaceAll('(select ?)', '')).not.toContain('?')
  }
}, 120_000)
