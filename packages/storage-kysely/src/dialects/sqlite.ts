import type { Dialect } from './dialect.ts'

/** SQLite compares text byte for byte, has no dates, and lets one transaction write at a time. */
export const sqlite: Dialect = {
  name: 'sqlite',
  types: {
    text: () => 'text',
    integer: 'integer',
    flag: 'integer',
    date: 'text',
    instant: 'text',
    json: 'text',
  },
  oneWriter: true,
  flag: Number,
  isTransient: error => /^SQLITE_BUSY/.test((error as { code?: string }).code ?? ''),
}
