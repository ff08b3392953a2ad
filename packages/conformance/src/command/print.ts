import Table from 'cli-table3'
import type { CheckResult, ConformanceReport } from '../report.ts'

const MARKS: Record<CheckResult['status'], string> = { passed: '✓', differs: '✗', not_tried: '–' }
const WORDS: Record<CheckResult['status'], string> = {
  passed: '',
  differs: 'differs',
  not_tried: 'not tried',
}

const NONE = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' }
const LINES = { 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' }

/** What came of the checks, for people: a table, then what differs, each with its request, then what was not tried. */
export function printed(report: ConformanceReport): string {
  const { url, comparedWith, checks, requests, passed, differing, notTried, cutShort } = report
  const table = new Table({
    chars: { ...NONE, ...LINES, right: '', 'right-mid': '', middle: ' ' },
    style: { 'padding-left': 0, 'padding-right': 1, head: [], border: [], compact: true },
    head: ['', 'API', 'check', 'tried', '', 'what'],
  })
  for (const { status, section, name, title, requests } of checks) {
    table.push([MARKS[status], section, name, String(requests), WORDS[status], title])
  }
  const lines = table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
  return [
    comparedWith === undefined ? url : `${url} and ${comparedWith}`,
    '',
    ...lines,
    ...checks.filter(({ status }) => status === 'differs').flatMap(differences),
    ...untried(checks),
    '',
    `${requests} requests. ${passed} checks passed, ${differing} found differences, ${notTried} were not tried.`,
    ...(cutShort ? ['The run was cut short: this says nothing of what it did not come to.'] : []),
    '',
  ].join('\n')
}

function differences({ section, name, title, differences, differing }: CheckResult): string[] {
  const more = differing - differences.length
  return [
    '',
    `✗ ${section} ${name}: ${title}`,
    ...differences.flatMap(({ what, request }) => [`  ${what}`, `    ${request}`]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function untried(checks: readonly CheckResult[]): string[] {
  const some = checks.filter(({ notTried }) => notTried.length > 0)
  if (some.length === 0) return []
  const lines = some.flatMap(({ section, name, notTried }) =>
    notTried.map(why => `  ${section} ${name}: ${why}`),
  )
  return ['', 'Not tried, or not in every way:', ...lines]
}
