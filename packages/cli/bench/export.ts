import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fill } from './fill.ts'

/** Prints what `tillkit payments export` takes of memory for a few payments and for many. */

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } })
const COMMAND = join(import.meta.dirname, '../src/command.ts')
const TELLS = `process.on('exit', () => console.error('MAX ' + process.resourceUsage().maxRSS))`

async function exported(file: string, format: string) {
  const began = performance.now()
  const args = [
    `--import=data:text/javascript,${encodeURIComponent(TELLS)}`,
    ...['--conditions=@tillkit/source', COMMAND, 'payments', 'export', 'coffee', '--format', format],
  ]
  const child = spawn(process.execPath, args, { env: { ...process.env, TILLKIT_DATABASE: file } })
  let bytes = 0
  let said = ''
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  child.stderr.on('data', piece => {
    said += piece
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(said)
  const [, kilobytes = ''] = /MAX (\d+)/.exec(said) ?? []
  return {
    format,
    'MB written': Math.round(bytes / 1e6),
    seconds: Math.round((performance.now() - began) / 100) / 10,
    'MB at most': Math.round(Number(kilobytes) / 1024),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'tillkit-export-'))
try {
  const results = []
  for (const rows of [1000, Number(values.rows)]) {
    const file = join(folder, `${rows}.db`)
    await fill(file, rows)
    for (const format of ['csv', 'ndjson']) results.push({ rows, ...(await exported(file, format)) })
  }
  console.table(results)
} finally {
  await rm(folder, { recursive: true })
}
