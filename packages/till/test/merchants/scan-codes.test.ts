import { expect, test } from 'vitest'
import { refusal, tillOf } from '../till-of.ts'

test('a made-up code cannot be guessed and fits a payment URL', async () => {
  const { till } = await tillOf()
  const codes = new Set<string>()
  for (let i = 0; i < 200; i++) codes.add((await till.scanCodes.create('shop')).code)
  expect(codes.size).toBe(200)
  // 96 bits need 17 characters of an alphabet of 62.
  for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9_-]{17,64}$/)
})

test('a given code is kept, is unique over all merchants, and carries its reference', async () => {
  const { till } = await tillOf()
  await till.merchants.create({ id: 'other', name: 'Other' })
  const scanCode = await till.scanCodes.create('shop', { code: 'till-1', reference: 'Till 1' })
  expect(scanCode).toMatchObject({ code: 'till-1', merchantId: 'shop', reference: 'Till 1' })
  expect(await till.scanCodes.get('till-1')).toEqual(scanCode)
  expect(await till.scanCodes.get('Till-1')).toBeNull()
  expect(await refusal(till.scanCodes.create('other', { code: 'till-1' }))).toBe(
    'conflict: scan code till-1 is taken',
  )
  expect((await till.scanCodes.list('shop')).map(({ code }) => code)).toContain('till-1')
  expect(await till.scanCodes.list('other')).toEqual([])
})

test('what is wrong is named', async () => {
  const { till } = await tillOf()
  expect(await refusal(till.scanCodes.create('nobody'))).toBe('not_found: merchant nobody is unknown')
  expect(await refusal(till.scanCodes.list('nobody'))).toBe('not_found: merchant nobody is unknown')
  for (const code of ['', 'a b', 'a/b', 'x'.repeat(65), 'é']) {
    expect(await refusal(till.scanCodes.create('shop', { code }))).toMatch(
      /^invalid_input: code must be 1 to 64 of/,
    )
  }
  expect(await refusal(till.scanCodes.create('shop', { reference: 'x'.repeat(256) }))).toMatch(
    /reference must be text/,
  )
})
