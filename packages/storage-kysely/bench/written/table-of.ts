import type { Written } from './measure-written.ts'

/** What was written before, and what is now, as a table. Either may be left out. */
export function tableOf(before: Written | undefined, now: Written | undefined): string {
  const lines: string[] = []
  const line = (name: string, ...figures: (number | undefined)[]) => {
    const shown = figures.map(figure => (figure === undefined ? '' : figure.toFixed(0)).padStart(7))
    lines.push(`| ${name.padEnd(48)} | ${shown.join(' | ')} |`)
  }
  const namesOf = (part: keyof Written) => [
    ...new Set([before, now].flatMap(one => [...(one?.[part].keys() ?? [])])),
  ]
  const sum = (figures: Iterable<number> | undefined) => figures && [...figures].reduce((a, b) => a + b, 0)

  if (namesOf('steps').length > 0) {
    lines.push(
      '| bytes of WAL a payment | before | now | before, warm | now, warm |',
      '|---|---|---|---|---|',
    )
    const times = (steps: (name: 'cold' | 'warm') => (number | undefined)[]) => [
      ...steps('cold'),
      ...steps('warm'),
    ]
    for (const name of namesOf('steps')) {
      line(name, ...times(time => [before, now].map(one => one?.steps.get(name)?.[time])))
    }
    line(
      'all',
      ...times(time => [before, now].map(one => one && sum([...one.steps.values()].map(step => step[time])))),
    )
    lines.push('', '| updates of the heap alone, % | before | now |', '|---|---|---|')
    for (const name of namesOf('heapOnly')) {
      line(name, ...[before, now].map(one => one && 100 * (one.heapOnly.get(name) ?? 0)))
    }
    lines.push('')
  }
  lines.push('| bytes a payment | before | now |', '|---|---|---|')
  for (const name of namesOf('bytes').sort()) line(name, before?.bytes.get(name), now?.bytes.get(name))
  line('all', sum(before?.bytes.values()), sum(now?.bytes.values()))
  return lines.join('\n')
}
