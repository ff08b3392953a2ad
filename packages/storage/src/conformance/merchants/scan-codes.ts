import type { ScanCode } from '@tillkit/domain'
import type { Checks } from '../capability.ts'
import { EDGE_TEXTS, UNKNOWN_TEXTS } from '../edge-text.ts'
import { at, refusal, unique } from '../scene.ts'

function aCode(merchantId: string, fields: Partial<ScanCode> = {}): ScanCode {
  return {
    code: `code-${unique()}`,
    merchantId,
    reference: null,
    createdAt: at(0),
    suspendedAt: null,
    ...fields,
  }
}

export function scanCodes({ test, expect }: Checks): void {
  test('a code finds itself and its merchant as it is now', async ({ storage, merchant }) => {
    const owner = await merchant()
    const scanCode = aCode(owner.id, { code: `${unique()}`.padStart(64, '_'), createdAt: at(0.789) })
    await storage.scanCodes.add(scanCode)
    expect(await storage.scanCodes.find(scanCode.code)).toEqual({ scanCode, merchant: owner })
    const renamed = await storage.merchants.update(owner.id, { name: 'Renamed' }, at(0))
    expect(await storage.scanCodes.find(scanCode.code)).toEqual({ scanCode, merchant: renamed })
  })

  test('codes are told apart to the letter', async ({ storage, merchant }) => {
    const owner = await merchant()
    const n = unique()
    const codes = [`a-b_${n}`, `A-b_${n}`, `a_b_${n}`, `a-b-${n}`, `-a-b_${n}`]
    for (const code of codes) await storage.scanCodes.add(aCode(owner.id, { code, reference: `for ${code}` }))
    for (const code of codes) {
      expect((await storage.scanCodes.find(code))?.scanCode.reference).toBe(`for ${code}`)
    }
    for (const unknown of [...UNKNOWN_TEXTS, `A-B_${n}`, `a-b_${n} `, ` a-b_${n}`, `a-b%`]) {
      expect(await storage.scanCodes.find(unknown)).toBe(null)
    }
  })

  test('a code that anyone has throws conflict and stays theirs', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const scanCode = aCode(one.id, { reference: 'first' })
    await storage.scanCodes.add(scanCode)
    expect(await refusal(storage.scanCodes.add({ ...scanCode, merchantId: other.id }))).toBe('conflict')
    expect(await refusal(storage.scanCodes.add({ ...scanCode, reference: 'second' }))).toBe('conflict')
    expect(await storage.scanCodes.find(scanCode.code)).toEqual({ scanCode, merchant: one })
    expect(await storage.scanCodes.list(other.id)).toEqual([])
  })

  test('a code of an unknown merchant throws not_found and stays free', async ({ storage, merchant }) => {
    const scanCode = aCode('nobody')
    expect(await refusal(storage.scanCodes.add(scanCode))).toBe('not_found')
    expect(await storage.scanCodes.find(scanCode.code)).toBe(null)
    const owner = await merchant()
    await storage.scanCodes.add({ ...scanCode, merchantId: owner.id })
    expect((await storage.scanCodes.find(scanCode.code))?.merchant).toEqual(owner)
  })

  test('the list is a merchant’s own, oldest first', async ({ storage, merchant }) => {
    const [one, other] = [await merchant(), await merchant()]
    const codes = ['', ...EDGE_TEXTS].map((reference, n) =>
      aCode(one.id, { reference, createdAt: at(n / 1000) }),
    )
    codes.unshift(aCode(one.id, { createdAt: at(-1) }))
    for (const code of codes) await storage.scanCodes.add(code)
    const others = aCode(other.id)
    await storage.scanCodes.add(others)
    expect(await storage.scanCodes.list(one.id)).toEqual(codes)
    expect(await storage.scanCodes.list(other.id)).toEqual([others])
    for (const unknown of UNKNOWN_TEXTS) expect(await storage.scanCodes.list(unknown)).toEqual([])
  })

  test('of one moment they come by their code, whichever was added first', async ({ storage, merchant }) => {
    const { id } = await merchant()
    const { code } = aCode(id)
    const codes = ['b', 'B', '_', '0', 'a', '-'].map(first => aCode(id, { code: `${first}${code}` }))
    for (const one of codes) await storage.scanCodes.add(one)
    const byCode = codes.toSorted((a, b) => (a.code < b.code ? -1 : 1))
    expect(await storage.scanCodes.list(id)).toEqual(byCode)
  })
}
