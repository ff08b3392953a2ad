import { publint as lint } from 'publint'
import { formatMessage } from 'publint/utils'
import type { Tarball } from '../tarball.ts'

/** publint, strictly. Its suggestions are no problems. */
export async function publint({ bytes, manifest }: Tarball): Promise<string[]> {
  const { messages } = await lint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    strict: true,
    level: 'warning',
  })
  return messages.map(message => `publint: ${formatMessage(message, manifest, { color: false })}`)
}
