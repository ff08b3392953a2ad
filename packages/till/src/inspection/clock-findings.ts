import { type Finding, findingsOf } from '@tillkit/domain'
import type { Storage } from '@tillkit/storage'
import { aheadOf, WRONG } from '../clock/difference.ts'
import { takeSample } from '../clock/sample.ts'

const { ok, warning } = findingsOf('clock')

/** This machine's clock, set against the database's; nothing where that has none of its own. */
export async function clockFindings(storage: Storage): Promise<Finding[]> {
  const { time } = storage
  if (!time) return []
  const ahead = aheadOf(await takeSample(() => time.call(storage)))
  if (Math.abs(ahead) < WRONG) return [ok('This machine’s clock and the database’s are at one.')]
  const seconds = Math.round(Math.abs(ahead) / 1000)
  const says = `This machine’s clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database’s, by which payments are dated.`
  return [
    warning(says, 'Have both kept right by NTP; till.repairDates puts right what a wrong clock has dated.'),
  ]
}
