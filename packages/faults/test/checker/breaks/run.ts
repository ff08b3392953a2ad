import { type Breaks, last } from './break.ts'

export const runsBreaks = {
  charges: [
    [
      'charged twice',
      { change: books => void books.journal.push(structuredClone(last(books, 'charged'))) },
      /was charged twice/,
    ],
    [
      'completed and never charged',
      { change: books => void books.journal.splice(books.journal.indexOf(last(books, 'charged')), 1) },
      /is completed and was never charged/,
    ],
    [
      'failed and charged',
      {
        change: books =>
          void books.journal.push({ what: 'charged', merchantId: 'shop', id: 4, totalAmount: 103 }),
      },
      /shop:4 was charged and is error/,
    ],
    [
      'another amount was charged',
      { change: books => void Object.assign(last(books, 'charged'), { totalAmount: 1 }) },
      /was charged 1/,
    ],
  ],
  errors: [
    [
      'an error of no class of ours',
      {
        change: books =>
          void books.journal.push({
            ...{ what: 'refused', call: 'start', name: 'TypeError', message: 'x', codes: [], leaks: false },
          }),
      },
      /start threw TypeError: x/,
    ],
    [
      'an error that holds values',
      {
        change: books =>
          void books.journal.push({
            ...{
              what: 'refused',
              call: 'start',
              name: 'DatabaseError',
              message: 'x',
              codes: [],
              leaks: true,
            },
          }),
      },
      /holds the values of a statement/,
    ],
    [
      'a log line that does',
      { change: books => void books.journal.push({ what: 'leaked', line: 'x' }) },
      /a log line holds/,
    ],
  ],
  processes: [
    [
      'a process that ended by itself',
      { change: books => void books.casualties.push('shop-1 ended by itself (1)') },
      /shop-1 ended by itself/,
    ],
  ],
  heap: [
    [
      'a heap that grows',
      {
        change: books => {
          for (let n = 0; n < 16; n++)
            books.journal.push({ what: 'heap', process: 'worker', bytes: (50 + n) * 1024 * 1024 })
        },
      },
      /the heap of worker grew from/,
    ],
  ],
} satisfies Breaks
