import type { Written } from './measure-written.ts'

/** What is written, as tables. */
export function tableOf({ steps, heapOnly, bytes }: Written): string {
  const lines: string[] = []
  const head = (...names: string[]) =>
    lines.push(`| ${names.join(' | ')} |`, `${'|---'.repeat(names.length)}|`)
  const line = (name: string, ...figures: number[]) => {
    const shown = figures.map(figure => figure.toFixed(0).padStart(7))
    lines.push(`| ${name.padEnd(48)} | ${shown.join(' | ')} |`)
  }
  const sum = (figures: Iterable<number>) => [...figures].reduce((a, b) => a + b, 0)

  if (steps.size > 0) {
    head('bytes of WAL a payment', 'first after a checkpoint', 'pages written already')
    for (const [name, { cold, warm }] of steps) line(name, cold, warm)
    const of = (time: 'cold' | 'warm') => sum([...steps.values()].map(step => step[time]))
    line('all', of('cold'), of('warm'))
    lines.push('')
    head('updates', 'of the heap alone, %')
    for (const [name, share] of heapOnly) line(name, 100 * share)
    lines.push('')
  }
  head('bytes a payment', '')
  for (const [name, share] of [...bytes].sort()) line(name, share)
  line('all', sum(bytes.values()))
  return lines.join('\n')
}
