import { expect, test, vi } from 'vitest'
import { openDesk, soon } from './desk.ts'

/** A desk whose clock is told, in a time zone two hours ahead of UTC. */
async function withDays() {
  const time = { now: Date.parse('2026-07-10T08:30:00Z') }
  const desk = await openDesk({ timeZone: 'Europe/Amsterdam' }, { clock: () => new Date(time.now) })
  const pay = async (
    at: string,
    totalAmount: number,
    end: 'complete' | 'fail' | 'wait' = 'complete',
    scanCode = 'table-1',
  ) => {
    time.now = Date.parse(at)
    const payment = await desk.till.payments.start({ scanCode, totalAmount })
    if (end === 'complete') await desk.till.payments.complete(payment)
    if (end === 'fail') await desk.till.payments.fail(payment)
  }
  await pay('2026-07-03T08:10:00Z', 5000)
  await pay('2026-07-03T20:10:00Z', 9000)
  // Still the ninth in Amsterdam, and then the tenth.
  await pay('2026-07-09T21:59:59Z', 100_00)
  await pay('2026-07-09T22:00:00Z', 700)
  await pay('2026-07-10T05:00:00Z', 300, 'wait')
  await pay('2026-07-10T08:05:00Z', 1100, 'complete', 'shelf')
  await pay('2026-07-10T08:10:00Z', 1200)
  await pay('2026-07-10T08:11:00Z', 1300, 'fail')
  time.now = Date.parse('2026-07-10T08:30:00Z')
  return desk
}

/** The rows of a table by the text of their cells. */
const rowsOf = (page: string, caption: string) =>
  (page.split(`<caption>${caption}`)[1]?.split('</table>')[0] ?? '')
    .split('<tr>')
    .slice(2)
    .map(row =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
    )

test('a merchant’s day: by hour beside last week’s, how it went, what is pending', async () => {
  const { browse } = await withDays()
  const { page } = await browse().counted('/m-cafe/today')
  expect(page).toMatch(/Today, Friday,? 10 July 2026/)
  expect(page).toMatch(/Taken today<\/span><strong>€19\.00<\/strong><small>€50\.00 a week before by the end/)
  expect(page).toMatch(/Success<\/span><strong>66\.7%/)
  const hours = rowsOf(page, 'Completed payments by the hour')
  expect(hours).toHaveLength(24)
  expect(hours.filter(([, ...cells]) => cells.some(cell => /[1-9]/.test(cell)))).toEqual([
    ['00:00', '1', '€7.00', '0', '€0.00'],
    ['10:00', '1', '€12.00', '1', '€50.00'],
    ['22:00', '0', '€0.00', '1', '€90.00'],
  ])
  expect(page).toMatch(/an hour to a day<\/dt><dd>1</)
  expect(page.match(/<svg class="chart"/g)).toHaveLength(2)
  expect(page.split('<svg')[1]?.match(/<rect class="bar"/g)).toHaveLength(2)
})

test('what clocks show twice is the first, and what they pass over is as long after', async () => {
  const time = { now: 0 }
  const desk = await openDesk({ timeZone: 'Asia/Amman' }, { clock: () => new Date(time.now) })
  // Clocks went from midnight to one o'clock, and on 29 October back from one to midnight.
  const moments = ['2021-03-25T21:59:59Z', '2021-03-25T22:00:00Z']
  moments.push('2021-10-28T20:59:59Z', '2021-10-28T21:00:00Z', '2021-10-28T22:00:00Z')
  for (const at of moments) {
    time.now = Date.parse(at)
    await desk.till.payments.complete(
      await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 100 }),
    )
  }
  const browser = desk.browse()
  const ids = async (query: string) =>
    [...(await browser.open(`/m-cafe/payments?${query}`)).page.matchAll(/payments\/(\d+)">/g)].map(
      ([, id]) => id,
    )
  expect(await ids('until=2021-03-26T00:00')).toEqual(['1'])
  expect(await ids('from=2021-03-26T00:00&until=2021-10-29T00:00')).toEqual(['3', '2'])
  expect(await ids('from=2021-03-26T00:30&until=2021-10-29T00:00')).toEqual(['3'])
  expect(await ids('from=2021-10-29T00:00')).toEqual(['5', '4'])
  const { page } = await browser.counted('/m-cafe/today')
  expect(page).toMatch(/Taken today<\/span><strong>€2\.00</)
  expect((await browser.open('/m-cafe/payments?from=2026-02-30T00:00')).page).toContain('is none.')
})

test('the day of all merchants, and of each; the success rate is counted beside the page', async () => {
  const { browse } = await withDays()
  const browser = browse()
  expect((await browser.open('/today')).page).toContain('counting…')
  const { page } = await browser.counted('/today')
  expect(page).toMatch(/Taken today<\/span><strong>€30\.00/)
  expect(rowsOf(page, 'By merchant')).toEqual([
    ['Harbour Books', '€11.00', '1', '100%', '0', 'none'],
    ['Corner Café', '€19.00', '2', '66.7%', '1', 'none'],
  ])
  expect(page).toMatch(/Success<\/span><strong>75%<\/strong><small>1 failed/)
  expect(rowsOf(page, 'Who took most').map(([name]) => name)).toEqual(['Corner Café', 'Harbour Books'])
})

test('the day of all merchants is counted again in its time, though the machine’s clock was put back', async () => {
  const { browse, till } = await withDays()
  const browser = browse()
  const counted = async (rate: RegExp) =>
    vi.waitFor(async () => expect((await browser.open('/today')).page).toMatch(rate), soon)
  // By the till's time, whatever the machine's is.
  await counted(/Success<\/span><strong>75%<\/strong><small>1 failed, counted 10:30/)
  await till.payments.fail(await till.payments.start({ scanCode: 'table-1', totalAmount: 5 }))

  const [wall, steady] = [Date.now(), performance.now()]
  vi.spyOn(Date, 'now').mockImplementation(() => wall - 3_600_000)
  vi.spyOn(performance, 'now').mockImplementation(() => steady + 31_000)
  try {
    await counted(/Success<\/span><strong>60%<\/strong><small>2 failed/)
  } finally {
    vi.restoreAllMocks()
  }
})

test('which shop took most on a day before: asked by its date, and found from today', async () => {
  const { browse } = await withDays()
  const browser = browse()
  const { page: todays } = await browser.open('/today')
  const [, before = ''] = /<a href="\.\/(today\?day=[^"]*)">The day before</.exec(todays) ?? []
  expect(before).toBe('today?day=2026-07-09')
  const most = async (target: string) => rowsOf((await browser.counted(target)).page, 'Who took most')
  expect(await most(`/${before}`)).toEqual([['Corner Café', '€100.00', '1', '100%']])
  expect(await most('/today?day=2026-07-03')).toEqual([['Corner Café', '€140.00', '2', '100%']])
  const { page } = await browser.counted('/today?day=2026-07-03')
  expect(page).toMatch(/<h1[^>]*>Friday,? 3 July 2026/)
  expect(page).toMatch(/Taken<\/span><strong>€140\.00<\/strong><small>€0\.00 a week before</)
  expect(page).toContain('href="./m-cafe/today?day=2026-07-03"')
  expect(page).not.toContain('Pending, by age')
  const { page: ofOne } = await browser.counted('/m-cafe/today?day=2026-07-03')
  expect(ofOne).toMatch(/<h1[^>]*>Friday,? 3 July 2026/)
  expect(ofOne).toMatch(/Success<\/span><strong>100%/)
})

test('a day that is none, or has not come, is today', async () => {
  const { browse } = await withDays()
  for (const day of ['2026-07-11', '2026-02-30', '1969-12-31', 'Tuesday', '9999-99-99', '']) {
    const { page } = await browse().open(`/m-cafe/today?day=${day}`)
    expect([day, /<h1[^>]*>Today, Friday,? 10 July 2026/.test(page)]).toEqual([day, true])
  }
})

test('a day on which clocks are changed has as many hours as it has', async () => {
  for (const [timeZone, day, count] of [
    ['Europe/Amsterdam', '2026-03-29', 23],
    ['Europe/Amsterdam', '2026-10-25', 25],
    // Where there is no midnight.
    ['America/Santiago', '2026-09-06', 23],
    ['Atlantic/Azores', '2026-03-29', 23],
    ['Africa/Cairo', '2026-04-24', 23],
  ] as const) {
    const now = new Date(`${day}T18:00:00Z`)
    const { browse } = await openDesk({ timeZone }, { clock: () => now })
    const { page } = await browse().counted('/m-cafe/today')
    const hours = rowsOf(page, 'Completed payments by the hour')
    expect([timeZone, day, hours.length]).toEqual([timeZone, day, count])
  }
})

test('a day without a midnight takes nothing of the day before', async () => {
  const time = { now: Date.parse('2026-09-06T03:30:00Z') }
  const desk = await openDesk({ timeZone: 'America/Santiago' }, { clock: () => new Date(time.now) })
  await desk.till.payments.complete(
    await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 7700 }),
  )
  time.now = Date.parse('2026-09-06T15:00:00Z')
  await desk.till.payments.complete(
    await desk.till.payments.start({ scanCode: 'table-1', totalAmount: 1100 }),
  )
  for (const path of ['/today', '/m-cafe/today']) {
    const { page } = await desk.browse().counted(path)
    expect([path, page.includes('11.00'), page.includes('77.00'), page.includes('88.00')]).toEqual([
      path,
      true,
      false,
      false,
    ])
  }
})
