import Table from 'cli-table3'

const NO_EDGE = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' }
const NO_LINES = { 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' }

/** Columns that stand under each other, without lines. */
export function tableText(head: string[], rows: string[][]): string {
  if (head.length === 0 && rows.length === 0) return ''
  const table = new Table({
    chars: { ...NO_EDGE, ...NO_LINES, right: '', 'right-mid': '', middle: ' ' },
    style: { 'padding-left': 0, 'padding-right': 1, head: [], border: [], compact: true },
    ...(head.length > 0 && { head }),
  })
  table.push(...rows)
  const lines = table.toString().split('\n')
  return `${lines.map(line => line.trimEnd()).join('\n')}\n`
}
