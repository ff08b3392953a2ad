import type { Result } from './results.ts'

/** A line for each thing that was tried, a column for each Node that it was tried on. */
export function table(results: readonly Result[]): string {
  const nodes = [...new Set(results.map(({ node }) => node))].toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  )
  const rows = Map.groupBy(results, ({ of, what }) => `${of}\n${what}`)
  const lines = [...rows]
    .map(([name, tried]) => [...name.split('\n'), ...nodes.map(node => mark(tried, node))])
    .toSorted(([a = ''], [b = '']) => a.localeCompare(b))
  const head = ['', '', ...nodes]
  const widths = head.map((title, i) => Math.max(title.length, ...lines.map(line => line[i]?.length ?? 0)))
  return [head, ...lines]
    .map(line =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function mark(tried: readonly Result[], node: string): string {
  const there = tried.filter(result => result.node === node)
  if (there.length === 0) return ''
  return there.every(({ problem }) => problem === null) ? '✓' : '✗'
}
