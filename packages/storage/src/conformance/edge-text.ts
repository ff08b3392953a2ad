/** As many characters as a reference may have, and four times as many bytes. */
export const LONGEST_TEXT = '💶'.repeat(255)

/** Texts that a careless column, collation, driver or pattern would change, or take for one another. */
export const EDGE_TEXTS: readonly string[] = [
  'order-1',
  'ORDER-1',
  'order-1 ',
  ' order-1',
  'order_1',
  'order%',
  'órder-1',
  'café',
  'cafe\u0301',
  'ﬁ',
  'fi',
  'ß',
  'ss',
  'ı',
  'Ⅳ',
  'order-1\u200b',
  'order-1\t',
  'a\nb\r\nc',
  'O\'Brien "quoted" `ticks`; -- DROP TABLE',
  'back\\slash \\0 \\n',
  '$1 ? :name @p {0}',
  '{"json": [null]}',
  'null',
  '0',
  '007',
  '7',
  '1e2',
  '__proto__',
  LONGEST_TEXT,
  `${'💶'.repeat(254)}💷`,
  'x'.repeat(255),
  `${'x'.repeat(254)} `,
  'שלום عالم 日本語',
]

/** Texts that nothing is ever called, and that only a careless store chokes on. */
export const UNKNOWN_TEXTS: readonly string[] = [
  '',
  ' ',
  'a\0b',
  '\ud800',
  'x'.repeat(100_000),
  "' OR 1=1 --",
  '%',
]
