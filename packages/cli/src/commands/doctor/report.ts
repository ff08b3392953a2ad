import type { Finding, FindingLevel, Inspection } from '@tillkit/till'
import { inOneLine } from '../../output/shown.ts'

const LEVELS: readonly FindingLevel[] = ['problem', 'warning', 'note', 'ok']

/** An inspection for people: what is worst comes first, each with what to do, and then the database's settings. */
export function reportOf({ storage, findings }: Inspection): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = LEVELS.flatMap(level => findings.filter(finding => finding.level === level)).flatMap(
    finding => linesOf(finding, width),
  )
  const count = (level: FindingLevel) => findings.filter(finding => finding.level === level).length
  const summary = LEVELS.map(level => `${count(level)} ${level}`).join(', ')
  return [...headOf(storage), ...lines, '', summary].map(inOneLine).join('\n')
}

function linesOf({ level, check, says, advice }: Finding, width: number): string[] {
  const line = `${level.padEnd(8)} ${check.padEnd(width)}  ${says}`
  return advice === null ? [line] : [line, `${' '.repeat(width + 11)}→ ${advice}`]
}

function headOf(storage: Inspection['storage']): string[] {
  if (storage === null) return []
  const { engine, version, settings } = storage
  return [
    `${engine} ${version}`,
    ...Object.entries(settings).map(([name, value]) => `  ${name} = ${value}`),
    '',
  ]
}
